// A tokenizer of a language like C: names, numbers in four bases, strings, comments, signs of up to three characters.

enum { END, NAME, NUMBER, STRING, CHARACTER, SIGN, BAD };

struct token {
    int kind, start, length, value;
};

static int is_name(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); }

struct token next(const char *text, int at) {
    struct token token = {BAD, at, 0, 0};
    int c, base;

again:
    switch (c = text[at]) {
    case 0:
        token.kind = END;
        token.start = at;
        return token;
    case ' ': case '\t': case '\n': case '\r':
        at++;
        goto again;
    case '/':
        if (text[at + 1] == '/') {
            while (text[at] && text[at] != '\n') at++;
            goto again;
        }
        if (text[at + 1] == '*') {
            at += 2;
            for (;;) {
                if (!text[at]) goto bad;
                if (text[at] == '*' && text[at + 1] == '/') break;
                at++;
            }
            at += 2;
            goto again;
        }
        goto sign;
    case '0':
        token.start = at++;
        switch (text[at]) {
        case 'x': case 'X': base = 16; at++; break;
        case 'b': case 'B': base = 2; at++; break;
        default: base = 8; break;
        }
        goto digits;
    case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        token.start = at;
        base = 10;
    digits:
        for (;; at++) {
            int digit = text[at];
            if (digit == '\'') continue;
            if (digit >= '0' && digit <= '9') digit -= '0';
            else if ((digit | 32) >= 'a' && (digit | 32) <= 'f' && base == 16) digit = (digit | 32) - 'a' + 10;
            else break;
            if (digit >= base) goto bad;
            token.value = token.value * base + digit;
        }
        if (is_name(text[at])) goto bad;
        token.kind = NUMBER;
        break;
    case '"':
    case '\'':
        token.start = at++;
        while (text[at] != c) {
            if (!text[at] || text[at] == '\n') goto bad;
            if (text[at] == '\\' && !text[++at]) goto bad;
            token.value++;
            at++;
        }
        at++;
        if (c == '\'' && token.value != 1) goto bad;
        token.kind = c == '"' ? STRING : CHARACTER;
        break;
    case '<': case '>':
        token.start = at++;
        if (text[at] == c) at++;
        if (text[at] == '=') at++;
        token.kind = SIGN;
        break;
    case '+': case '-': case '&': case '|':
        token.start = at++;
        if (text[at] == c || text[at] == '=' || (c == '-' && text[at] == '>')) at++;
        token.kind = SIGN;
        break;
    case '=': case '!': case '*': case '%': case '^':
    sign:
        token.start = at++;
        if (text[at] == '=') at++;
        token.kind = SIGN;
        break;
    case '(': case ')': case '{': case '}': case '[': case ']': case ';': case ',': case '?': case ':': case '~': case '.':
        token.start = at++;
        token.kind = SIGN;
        break;
    default:
        if (!is_name(c)) goto bad;
        token.start = at;
        while (is_name(text[at])) token.value = token.value * 31 + text[at++];
        token.kind = NAME;
    }
    token.length = at - token.start;
    return token;

bad:
    token.kind = BAD;
    token.length = at - token.start;
    return token;
}

int count(const char *text, int kinds[7]) {
    int at = 0, tokens = 0;
    for (;;) {
        struct token token = next(text, at);
        kinds[token.kind]++;
        if (token.kind == END) return tokens;
        if (token.kind == BAD && ++token.length > 80) return -1;
        at = token.start + token.length;
        tokens++;
    }
}
