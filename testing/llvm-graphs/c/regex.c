// A matcher of regular expressions with its own stack for what is to be tried later: . [a-z] [^a-z] * + ? ^ $ and \ before a sign.

struct retry {
    const char *pattern, *text;
};

static const char *one(const char *pattern) {
    if (*pattern == '\\' && pattern[1]) return pattern + 2;
    if (*pattern != '[') return pattern + 1;
    pattern++;
    if (*pattern == '^') pattern++;
    do {
        if (!*pattern) return pattern;
    } while (*pattern++ != ']');
    return pattern;
}

static int fits(const char *pattern, int c) {
    int no = 0;
    switch (*pattern) {
    case '.': return c != '\n';
    case '\\': return pattern[1] ? pattern[1] == c : c == '\\';
    case '[': break;
    default: return *pattern == c;
    }
    if (*++pattern == '^') {
        no = 1;
        pattern++;
    }
    while (*pattern && *pattern != ']') {
        if (pattern[1] == '-' && pattern[2] && pattern[2] != ']') {
            if (pattern[0] <= c && c <= pattern[2]) return !no;
            pattern += 3;
        } else if (*pattern++ == c) {
            return !no;
        }
    }
    return no;
}

int match(const char *pattern, const char *text, int fuel) {
    struct retry stack[64];
    const char *start = text;
    int top;
    do {
        const char *p = pattern, *t = text;
        top = 0;
        if (*p == '^') p++;
    next:
        if (fuel-- <= 0) return -2;
        if (!*p) return (int)(t - start);
        if (*p == '$' && !p[1]) {
            if (!*t) return (int)(t - start);
            goto fail;
        }
        const char *rest = one(p);
        switch (*rest) {
        case '*':
            if (*t && fits(p, *t)) {
                if (top == 64) return -3;
                stack[top].pattern = rest + 1;
                stack[top++].text = t;
                t++;
                goto next;
            }
            p = rest + 1;
            goto next;
        case '+':
            if (!*t || !fits(p, *t)) goto fail;
            t++;
            while (*t && fits(p, *t)) {
                if (top == 64) return -3;
                stack[top].pattern = rest + 1;
                stack[top++].text = t++;
            }
            p = rest + 1;
            goto next;
        case '?':
            if (*t && fits(p, *t)) {
                if (top == 64) return -3;
                stack[top].pattern = rest + 1;
                stack[top++].text = t++;
            }
            p = rest + 1;
            goto next;
        default:
            if (*t && fits(p, *t)) {
                t++;
                p = rest;
                goto next;
            }
        }
    fail:
        if (top > 0) {
            top--;
            p = stack[top].pattern;
            t = stack[top].text;
            goto next;
        }
        if (*pattern == '^') break;
    } while (*text++);
    return -1;
}
