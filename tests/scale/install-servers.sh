#!/usr/bin/env bash
# Installs Redis, PostgreSQL 15 and pgvector from Debian, where they are missing. Debian 12 has no package of pgvector:
# there, the source package of Debian 13 is built for PostgreSQL 15. No service is started by this script.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly root
readonly work=$root/.toolchain/pgvector
readonly postgres=/usr/lib/postgresql/15
readonly extension=/usr/share/postgresql/15/extension/vector.control

say() { printf 'install-servers: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}
as_root() { if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi; }
install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends "$@" >&2
}

# policy-rc.d keeps the packages from starting the system's own services.
install_missing() {
  local missing=()
  command -v redis-server >/dev/null || missing+=(redis-server)
  [[ -x $postgres/bin/postgres ]] || missing+=(postgresql-15)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  command -v apt-get >/dev/null || fail "no apt-get here. Install these Debian packages or their like: ${missing[*]}"
  local policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    # shellcheck disable=SC2064 # The path is that of now.
    trap "as_root rm -f $policy" EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod +x "$policy"
  fi
  install_packages "${missing[@]}" || { as_root apt-get -q update >&2 && install_packages "${missing[@]}"; } ||
    fail "could not install ${missing[*]}"
}

install_pgvector() {
  [[ -e $extension ]] && return 0
  # A container may have no lists of packages.
  apt-cache show postgresql-server-dev-15 >/dev/null 2>&1 || as_root apt-get -q update >&2
  if apt-cache show postgresql-15-pgvector >/dev/null 2>&1; then
    install_packages postgresql-15-pgvector
    return
  fi
  say "building Debian 13's source package of pgvector for PostgreSQL 15"
  local tools=()
  command -v gcc >/dev/null || tools+=(gcc libc6-dev)
  command -v make >/dev/null || tools+=(make)
  command -v dpkg-source >/dev/null || tools+=(dpkg-dev)
  [[ ${#tools[@]} -eq 0 ]] || install_packages "${tools[@]}"
  rm -rf "$work"
  mkdir -p "$work"/{lists/partial,cache/archives/partial,debs,server}
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n 1) || true
  [[ -n $mirror ]] || fail "apt knows no Debian mirror"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$work/sources.list"
  local options=(
    -q -o "Dir::State=$work" -o "Dir::State::lists=$work/lists" -o Dir::State::status=/dev/null
    -o "Dir::Cache=$work/cache" -o "Dir::Etc::sourcelist=$work/sources.list"
    -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
  )
  cd "$work/debs"
  apt-get "${options[@]}" update >&2
  apt-get "${options[@]}" source pgvector >&2
  # The headers and pgxs, without the compilers for just-in-time code on which the package depends.
  apt-get -q -o APT::Sandbox::User=root download postgresql-server-dev-15 libpq-dev >&2
  for deb in ./*.deb; do dpkg-deb -x "$deb" "$work/server"; done
  build_pgvector "$(find "$work/debs" -maxdepth 1 -type d -name 'pgvector-*')"
}

# build_pgvector FOLDER. OPTFLAGS stays empty: the machine that builds may not be the one that runs.
build_pgvector() {
  local server=$work/server/usr
  (
    cd "$1"
    local source objects=()
    for source in src/*.c; do
      gcc -O2 -fPIC -ftree-vectorize -fassociative-math -fno-signed-zeros -fno-trapping-math \
        -I"$server/include/postgresql/15/server" -I"$server/include/postgresql/internal" \
        -I"$server/include" -c "$source" -o "${source%.c}.o"
      objects+=("${source%.c}.o")
    done
    gcc -shared -o vector.so "${objects[@]}" -lm
    local version
    version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" vector.control)
    cp sql/vector.sql "sql/vector--$version.sql"
    as_root install -m 644 vector.so "$postgres/lib/vector.so"
    as_root install -m 644 "sql/vector--$version.sql" "${extension%/*}/"
    as_root install -m 644 vector.control "$extension"
  )
  rm -rf "$work"
}

install_missing
install_pgvector
