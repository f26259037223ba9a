#!/usr/bin/env bash
# Tests action/run.sh without GitHub: `TRELLIS_PROGRAM=…/trellis action/test.sh`. Each case runs it in a
# separate repository and checks its exit status, messages, reports and step outputs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
TRELLIS_PROGRAM=$(realpath "${TRELLIS_PROGRAM:?the trellis program to test with}")
export TRELLIS_PROGRAM
shaders=$root/corpus/shaders/control_flow
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The user's own settings must not decide.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.com
# A hook, which has these set for its own repository, may have started the test.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX
cases=0
failed=0

# Makes a repository with two shaders, in a folder with a space in its name, and makes it the current folder.
repository() {
    cases=$((cases + 1))
    mkdir -p "$scratch/$cases/game/my shaders"
    cd "$scratch/$cases/game"
    cp "$shaders/collatz.dxil" "my shaders/a.dxil"
    cp "$shaders/clip_in_switch.dxil" "my shaders/-b.dxil"
    git init --quiet --initial-branch=main .
    git add .
    git commit --quiet --message one
}

# Runs the script with variables; the status is in `status`, what it prints in the file `log`.
run() {
    status=0
    : >"$scratch/outputs"
    : >"$scratch/step-summary"
    env GITHUB_OUTPUT="$scratch/outputs" GITHUB_STEP_SUMMARY="$scratch/step-summary" \
        TRELLIS_SHADERS="my shaders" "$@" bash "$root/action/run.sh" >"$scratch/log" 2>&1 || status=$?
}

check() {
    local what=$1
    shift
    if ! "$@"; then
        failed=$((failed + 1))
        echo "case $cases: $what"
        sed 's/^/    /' "$scratch/log"
    fi
}
is() { [ "$1" = "$2" ]; }
has() { grep -q -e "$2" "$1"; }
lacks() { ! grep -q -e "$2" "$1"; }

repository # All shaders are converted, and all reports are written.
run
check "status $status" is "$status" 0
for file in report.json report.html junit.xml failures.sarif; do
    check "$file" test -s "trellis-reports/$file"
done
check "outputs" is "$(cat "$scratch/outputs")" $'converted=2\nfailed=0'
check "SPIR-V" test -s "spirv/-b.spv"
check "summary" has "$scratch/step-summary" '^converted 2, valid 2, failed 0$'
check "no comparison" test ! -e trellis-reports/comparison.txt

repository # A shader fails.
head -c 60 "my shaders/a.dxil" >"my shaders/<cut>.dxil"
run
check "status $status" is "$status" 1
check "outputs" is "$(cat "$scratch/outputs")" $'converted=2\nfailed=1'
check "error" has "$scratch/log" '^::error::shaders failed: converted 2, valid 2, failed 1$'
check "escaped" has "$scratch/step-summary" 'my shaders/&lt;cut&gt;.dxil'
check "SARIF" has trellis-reports/failures.sarif '"ruleId": "read"'
run TRELLIS_ALLOW_FAILURES=true
check "allowed: status $status" is "$status" 0
check "warning" has "$scratch/log" '^::warning::shaders failed'

repository # The base is equal, then it is not.
run TRELLIS_BASE=main TRELLIS_FAIL_ON_CHANGE=true
check "status $status" is "$status" 0
check "outputs" has "$scratch/outputs" '^changed=false$'
check "worktree" is "$(git worktree list | wc -l)" 1
cp "$shaders/if_else_nested.dxil" "my shaders/a.dxil"
run TRELLIS_BASE=main
check "changed: status $status" is "$status" 0
check "outputs" has "$scratch/outputs" '^changed=true$'
check "comparison" has trellis-reports/comparison.txt '^different$'
run TRELLIS_BASE=main TRELLIS_FAIL_ON_CHANGE=true
check "gate: status $status" is "$status" 1
check "error" has "$scratch/log" '^::error::1 of 2 shaders differ'
run TRELLIS_BASE=main TRELLIS_MAX_GROWTH=1000%
check "growth: status $status" is "$status" 0
check "worktree" is "$(git worktree list | wc -l)" 1

repository # A shader that fails in the base, too, is not a new failure; one that fails newly is.
head -c 60 "my shaders/a.dxil" >"my shaders/old.dxil"
git add . && git commit --quiet --message broken
run TRELLIS_BASE=main TRELLIS_ALLOW_FAILURES=true
check "old failure: status $status" is "$status" 0
head -c 60 "my shaders/a.dxil" >"my shaders/new.dxil"
run TRELLIS_BASE=main TRELLIS_ALLOW_FAILURES=true
check "new failure: status $status" is "$status" 1
check "error" has "$scratch/log" '^::error::1 shader fails that did not fail before\|^::error::1 shaders fail'

repository # In a folder of the repository, with an earlier report instead of a base, and a cache.
mkdir sub && git mv "my shaders" sub && git commit --quiet --message moved && cd sub
run TRELLIS_BASE=main TRELLIS_CACHE="$scratch/cache $cases"
check "status $status" is "$status" 0
check "outputs" has "$scratch/outputs" '^changed=false$'
cp trellis-reports/report.json old.json
run TRELLIS_BASE_REPORT=old.json TRELLIS_CACHE="$scratch/cache $cases"
check "report: status $status" is "$status" 0
check "cache" has "$scratch/log" 'from the cache 2'
check "outputs" has "$scratch/outputs" '^changed=false$'
run TRELLIS_BASE=main~1
check "none in the base: status $status" is "$status" 0
check "said" has "$scratch/log" '^the base has none of the shaders'
check "no output" lacks "$scratch/outputs" changed

repository # Options and arguments, one of them with a space.
echo '{ "target": "vulkan1.1" }' >options.json
run TRELLIS_OPTIONS=options.json TRELLIS_ARGUMENTS=$'--exclude\n  *b.dxil  \n\n--strip-names'
check "status $status" is "$status" 0
check "excluded" is "$(head -n 1 "$scratch/outputs")" converted=1
check "target" has trellis-reports/report.json '"target": "vulkan1.1"'
run TRELLIS_TARGET=vulkan1.2
check "target" has trellis-reports/report.json '"target": "vulkan1.2"'
# The base has no options file: it is converted with that of now.
run TRELLIS_OPTIONS=options.json TRELLIS_BASE=main
check "base: status $status" is "$status" 0
check "outputs" has "$scratch/outputs" '^changed=false$'

repository # What only the working tree has, in arguments, is used for the base, too.
echo '{ "target": "vulkan1.1" }' >"target now.json"
run TRELLIS_ARGUMENTS=$'--options\ntarget now.json' TRELLIS_BASE=main
check "status $status" is "$status" 0
check "outputs" has "$scratch/outputs" '^changed=false$'

repository # The numbers do not depend on what is printed.
run TRELLIS_ARGUMENTS=--json-lines
check "status $status" is "$status" 0
check "outputs" is "$(cat "$scratch/outputs")" $'converted=2\nfailed=0'
check "summary" has "$scratch/step-summary" '^converted 2, valid 2, failed 0$'

repository # A change that leaves the sizes of all outputs as they are is a change.
run
cp trellis-reports/report.json old.json
run TRELLIS_BASE_REPORT=old.json TRELLIS_FAIL_ON_CHANGE=true TRELLIS_ARGUMENTS=$'--shift\nuav=9'
check "status $status" is "$status" 1
check "outputs" has "$scratch/outputs" '^changed=true$'

repository # A newline in a file name does not begin a line of the log.
head -c 60 "my shaders/a.dxil" >"my shaders/x"$'\n'"::add-mask::y.dxil"
run TRELLIS_ALLOW_FAILURES=true
check "status $status" is "$status" 0
check "escaped" lacks "$scratch/log" '^::add-mask'

repository # The reason is told, not the progress before it.
run TRELLIS_REPORTS="$scratch/reports $cases" TRELLIS_SHADERS=$'my shaders\nno such file'
check "status $status" is "$status" 2
check "reason" has "$scratch/log" '^::error::trellis batch: exit status 2: error: '

repository # Text that looks like a command is only text.
run TRELLIS_SHADERS=$'my shaders\n$(touch hacked)\n; touch hacked'
check "status $status" is "$status" 2
check "nothing ran" test ! -e hacked

repository # Wrong inputs have status 2 and a message.
wrong() {
    local message=$1
    shift
    run "$@"
    check "$message: status $status" is "$status" 2
    check "$message" has "$scratch/log" "^::error::.*$message"
}
wrong "no input is given" TRELLIS_SHADERS=$' \n '
wrong "must be true or false" TRELLIS_VALIDATE=yes
wrong "not a commit here" TRELLIS_BASE=nowhere
wrong "there is no file none.json" TRELLIS_BASE_REPORT=none.json
wrong "there is no file none.json" TRELLIS_OPTIONS=none.json
wrong "cannot be used together" TRELLIS_BASE=main TRELLIS_BASE_REPORT=none.json
wrong "invalid value 'vulkan9'" TRELLIS_TARGET=vulkan9
wrong "trellis compare" TRELLIS_BASE=main TRELLIS_MAX_GROWTH=much

repository # The key of the program's sources is the same each time, and has the features.
key() { env GITHUB_OUTPUT=/dev/stdout "$@" bash "$root/action/build.sh" --key; }
check "key" is "$(key TRELLIS_VALIDATE=true)" "$(key TRELLIS_VALIDATE=false)-validate"

repository # At the tag of a release the program is the release's, if its sum is right.
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
mkdir -p "releases/v$version" "trellis-$version-x86_64-linux"
printf '#!/bin/sh\necho released\n' >"trellis-$version-x86_64-linux/trellis"
chmod +x "trellis-$version-x86_64-linux/trellis"
tar -czf "releases/v$version/trellis-$version-x86_64-linux.tar.gz" "trellis-$version-x86_64-linux"
(cd "releases/v$version" && sha256sum -- *.tar.gz >SHA256SUMS)
load() { env TRELLIS_RELEASES="file://$PWD/releases" TRELLIS_REF="v$version" bash "$root/action/build.sh" "$PWD/loaded"; }
if [ "$(uname -sm)" = "Linux x86_64" ]; then
    load
    check "a release" is "$(loaded/bin/trellis)" released
    sed -i 's/^../00/' "releases/v$version/SHA256SUMS"
    check "a wrong sum" is "$(load 2>/dev/null | tail -n 1)" \
        "::error::trellis-$version-x86_64-linux.tar.gz is not the file of SHA256SUMS"
fi

if [ "$failed" != 0 ]; then
    echo "$failed checks failed"
    exit 1
fi
echo "$cases cases"
