#!/usr/bin/env bash
# node.sh ARGUMENT...: Node for 64-bit ARM, emulated. QEMU_CPU names the processor. `setup.sh engines` installs both.
node=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.toolchain/node-arm64/bin/node
exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$node" "$@"
