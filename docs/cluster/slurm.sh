#!/bin/bash
#SBATCH --job-name=plywise
#SBATCH --array=1-20
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=64G
#SBATCH --time=08:00:00
# Twenty workers, one a job, for the scheduler at the given address: sbatch slurm.sh tls://10.0.0.5:8786
# Submit it in the folder that holds the certificates.
exec plywise cluster work "$1" --tls certificates --threads "$SLURM_CPUS_PER_TASK"
