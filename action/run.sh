#!/usr/bin/env bash
# The work of the GitHub Action (action.yml): converts the shaders, compares them with a base, and writes
# the reports, the outputs of the step and a summary. All inputs are variables of the environment, so that
# no text of a workflow becomes a part of a command. Works without GitHub, too: `action/test.sh` tests it.
#
# Exit status: 0; 1 if a shader failed or a limit of the comparison is exceeded; 2 for a wrong input.
set -euo pipefail

program=${TRELLIS_PROGRAM:-trellis}
output=${TRELLIS_OUTPUT:-spirv}
reports=${TRELLIS_REPORTS:-trellis-reports}
base=${TRELLIS_BASE:-}
base_report=${TRELLIS_BASE_REPORT:-}
scratch=$(mktemp -d)
worktree=

# shellcheck disable=SC2317,SC2329 # the trap calls it
cleanup() {
    if [ -n "$worktree" ]; then
        git worktree remove --force "$worktree" >/dev/null 2>&1 || true
    fi
    rm -rf "$scratch"
}
trap cleanup EXIT

wrong() {
    echo "::error::$*"
    exit 2
}

# Reads the lines of a text that are not empty into the array `lines`.
split() {
    lines=()
    local line
    while IFS= read -r line; do
        line="${line#"${line%%[![:space:]]*}"}"
        line="${line%"${line##*[![:space:]]}"}"
        if [ -n "$line" ]; then
            lines+=("$line")
        fi
    done <<<"$1"
}

# Returns why a program failed, of what it wrote to standard error: lines about its progress may come before.
reason() { grep -m 1 '^error' "$1" || tail -n 1 "$1"; }

# Appends lines to the file that a variable of GitHub names, if there is one.
append() {
    local file=${!1:-}
    if [ -n "$file" ]; then
        cat >>"$file"
    else
        cat >/dev/null
    fi
}

# Text for a page of Markdown with HTML.
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

for name in VALIDATE ALLOW_FAILURES FAIL_ON_CHANGE; do
    variable=TRELLIS_$name
    case "${!variable:-false}" in
    true | false) ;;
    *) wrong "$name must be true or false" ;;
    esac
done
split "${TRELLIS_SHADERS:-}"
[ "${#lines[@]}" -gt 0 ] || wrong "shaders: no input is given"
inputs=("${lines[@]}")
[ -z "$base" ] || [ -z "$base_report" ] || wrong "base and base-report cannot be used together"
[ -z "$base_report" ] || [ -f "$base_report" ] || wrong "base-report: there is no file $base_report"
[ -z "${TRELLIS_OPTIONS:-}" ] || [ -f "$TRELLIS_OPTIONS" ] || wrong "options: there is no file $TRELLIS_OPTIONS"

common=()
[ -z "${TRELLIS_TARGET:-}" ] || common+=(--target "$TRELLIS_TARGET")
[ "${TRELLIS_VALIDATE:-false}" = false ] || common+=(--validate)
[ -z "${TRELLIS_CACHE:-}" ] || common+=(--cache "$TRELLIS_CACHE")
split "${TRELLIS_ARGUMENTS:-}"
common+=("${lines[@]}")

mkdir -p "$reports"
status=0
"$program" batch --output "$output" --report "$reports/report.json" --html "$reports/report.html" \
    --junit "$reports/junit.xml" --sarif "$reports/failures.sarif" \
    ${TRELLIS_OPTIONS:+--options "$TRELLIS_OPTIONS"} "${common[@]}" -- "${inputs[@]}" \
    2>&1 >"$scratch/summary" | tee "$scratch/messages" || status=$?
cat "$scratch/summary"
[ "$status" -le 1 ] || wrong "trellis batch: exit status $status: $(reason "$scratch/messages")"
# The first field of each name is the total of all shaders; the printed text depends on the arguments.
number() { sed -n "/^ *\"$1\": /{s/[^0-9]//g;p;q}" "$reports/report.json"; }
totals="converted $(number converted), valid $(number valid), failed $(number failed)"
append GITHUB_OUTPUT <<<"converted=$(number converted)
failed=$(number failed)"
{
    echo "## Shaders"
    echo
    echo "$totals"
    # Without the lines about its progress.
    if grep -v -E '^[0-9]+ of [0-9]+ shaders, ' "$scratch/messages" >"$scratch/failures"; then
        echo
        echo "<pre>"
        head -n 50 "$scratch/failures" | escape
        echo "</pre>"
    fi
} | append GITHUB_STEP_SUMMARY
result=0
if [ "$status" = 1 ]; then
    if [ "${TRELLIS_ALLOW_FAILURES:-false}" = true ]; then
        echo "::warning::shaders failed: $totals"
    else
        echo "::error::shaders failed: $totals"
        result=1
    fi
fi

# A base is converted by the same program, with the options that it has itself.
if [ -n "$base" ]; then
    git rev-parse --verify --quiet "$base^{commit}" >/dev/null ||
        wrong "base: $base is not a commit here; fetch it, for example by fetch-depth: 0"
    at=$(git rev-parse --show-prefix)
    worktree=$scratch/base
    git worktree add --quiet --detach "$worktree" "$base"
    mkdir -p "$worktree/$at"
    old_options=${TRELLIS_OPTIONS:-}
    if [ -n "$old_options" ] && [ ! -f "$worktree/$at$old_options" ]; then
        old_options=$(realpath "$old_options")
    fi
    there=()
    for input in "${inputs[@]}"; do
        if [ -e "$worktree/$at$input" ]; then
            there+=("$input")
        fi
    done
    if [ "${#there[@]}" = 0 ]; then
        echo "the base has none of the shaders: there is nothing to compare with"
    else
        base_report=$scratch/base.json
        program_at=$(command -v "$program") || wrong "program: $program is not found"
        program_at=$(realpath "$program_at")
        # Files that arguments name, such as bindings, are the current ones if the base lacks them.
        old_common=()
        for argument in "${common[@]}"; do
            if [ -e "$argument" ] && [ ! -e "$worktree/$at$argument" ]; then
                argument=$(realpath -- "$argument")
            fi
            old_common+=("$argument")
        done
        old=0
        (
            cd "$worktree/$at"
            "$program_at" batch --quiet --output "$scratch/base-output" --report "$base_report" \
                ${old_options:+--options "$old_options"} "${old_common[@]}" -- "${there[@]}"
        ) >/dev/null 2>"$scratch/base-messages" || old=$?
        [ "$old" -le 1 ] || wrong "trellis batch of the base: $(reason "$scratch/base-messages")"
    fi
fi
if [ -n "$base_report" ]; then
    limits=(--fail-on-failures)
    [ -z "${TRELLIS_MAX_GROWTH:-}" ] || limits+=(--max-growth "$TRELLIS_MAX_GROWTH")
    [ "${TRELLIS_FAIL_ON_CHANGE:-false}" = false ] || limits+=(--fail-on-change)
    exceeded=0
    "$program" compare "$base_report" "$reports/report.json" "${limits[@]}" \
        >"$reports/comparison.txt" 2>"$scratch/exceeded" || exceeded=$?
    cat "$reports/comparison.txt" "$scratch/exceeded"
    [ "$exceeded" -le 1 ] || wrong "trellis compare: $(reason "$scratch/exceeded")"
    changed=true
    if [ "$(tail -n 1 "$reports/comparison.txt")" = equal ]; then
        changed=false
    fi
    append GITHUB_OUTPUT <<<"changed=$changed"
    {
        echo
        echo "## Compared with the base"
        echo
        echo "<pre>"
        head -n 200 "$reports/comparison.txt" | escape
        escape <"$scratch/exceeded"
        echo "</pre>"
    } | append GITHUB_STEP_SUMMARY
    if [ "$exceeded" = 1 ]; then
        echo "::error::$(sed 's/^error: //' "$scratch/exceeded" | head -n 1)"
        result=1
    fi
fi
exit "$result"
