# SPDX-License-Identifier: MIT
# Shared by the scripts: where the project is, and the interpreter of the Python tools.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV="$ROOT/.cache/venv"
PYTHON=/usr/bin/python3 # Debian's, not one that a version manager puts first in PATH
say() { printf '== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }
