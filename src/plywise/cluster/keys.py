"""Certificates for a cluster: one key that all its machines share, and that proves to each that the others belong."""

from __future__ import annotations

import datetime
from pathlib import Path

from plywise.cluster.addresses import AUTHORITY, CERTIFICATE, KEY
from plywise.errors import SearchError

YEARS = 5


def make_keys(folder: Path) -> None:
    """Make a folder with a key and a certificate that is its own authority.

    Raises:
        SearchError: the folder exists, cannot be made, or ``cryptography`` is not installed.
    """
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise SearchError("certificates need a library: pip install 'plywise[cluster]'") from None
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        raise SearchError(f"{str(folder)!r} exists: name a new folder") from None
    except OSError as error:
        raise SearchError(f"{str(folder)!r} cannot be made: {error.strerror}") from None
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.timezone.utc)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "plywise cluster")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=365 * YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    text = certificate.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for file, content in ((KEY, secret), (CERTIFICATE, text), (AUTHORITY, text)):
        (folder / file).touch(mode=0o600)
        (folder / file).write_bytes(content)
