"""The files in docs/cluster: what they run exists, and works with certificates."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from plywise.cli.commands import app
from plywise.cluster.keys import make_keys

yaml = pytest.importorskip("yaml", reason="Dask needs it: pip install 'plywise[cluster]'")
pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")

RECIPES = Path(__file__).parents[2] / "docs" / "cluster"
PLYWISE = [sys.executable, "-m", "plywise"]


def test_a_worker_of_slurm_joins_a_cluster_with_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "2")
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    make_keys(tmp_path / "certificates")
    program = tmp_path / "plywise"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m plywise "$@"\n')
    program.chmod(0o755)
    running = []
    try:
        command = ["cluster", "start", "--workers", "0", "--port", "0", "--tls", "certificates"]
        running.append(subprocess.Popen([*PLYWISE, *command], stdout=subprocess.PIPE, text=True))
        assert running[0].stdout is not None
        address = [running[0].stdout.readline() for _ in range(2)][1].split()[1]
        script = ["bash", str(RECIPES / "slurm.sh"), address]
        running.append(subprocess.Popen(script, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True))
        command = ["solve", "tic-tac-toe", "--cluster", address, "--tls", "certificates"]
        found = subprocess.run([*PLYWISE, *command], capture_output=True, text=True, timeout=120)
        assert "value     0" in found.stdout, found.stderr
    finally:
        for process in running:
            process.terminate()
            process.wait()


def test_the_containers_of_kubernetes_run_commands_that_exist() -> None:
    parts = list(yaml.safe_load_all((RECIPES / "kubernetes.yaml").read_text()))
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    containers = [part["spec"]["template"]["spec"]["containers"][0] for part in parts if part["kind"] == "Deployment"]
    assert len(containers) == 2
    for container in containers:
        program, name, *arguments = container["command"]
        assert program == "plywise"
        assert "--tls" in arguments
        commands[name].make_context(name, arguments)
