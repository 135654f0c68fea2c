# SPDX-License-Identifier: MIT
"""Starts the warm worker: `python3 -I -S -B serve.py`. Only this file's folder is added to the import path."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from twinir_emit.serve import serve

sys.exit(serve(sys.stdin.buffer, sys.stdout.buffer))
