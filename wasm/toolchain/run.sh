#!/usr/bin/env bash
# run.sh PART COMMAND...: sets up what PART needs (see setup.sh), then runs COMMAND with it on PATH.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/setup.sh" "$1" </dev/null
shift
source "$here/../../.toolchain/env.sh"
exec "$@"
