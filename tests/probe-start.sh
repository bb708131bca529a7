#!/usr/bin/env bash
# Runs `npm start` until it serves the site, fetches every page, and ends it. PORT picks the port (8080).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
port=${PORT:-8080}
site=http://127.0.0.1:$port

npm start -- --port "$port" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT

until curl --silent --fail --output /dev/null "$site/"; do
  kill -0 "$server" 2>/dev/null || {
    echo "npm start ended before it served $site" >&2
    exit 1
  }
  sleep 1
done
for page in $(cd packages/demo/site && find . -name '*.html' | sort); do
  curl --silent --show-error --fail --output /dev/null "$site/${page#./}"
  echo "served $page"
done

kill "$server"
wait "$server" || true
! curl --silent --output /dev/null "$site/" || {
  echo "$site is still served after npm start was ended" >&2
  exit 1
}
