// A validator of JSON without recursion: what is open is a stack of bits. Gives the place of the first error, or -1.

static int is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int is_digit(int c) { return c >= '0' && c <= '9'; }

int validate(const char *text, int length) {
    unsigned objects = 0;
    int depth = 0, at = 0, c;

value:
    while (at < length && is_space(text[at])) at++;
    if (at == length) return at;
    c = text[at];
    switch (c) {
    case '{':
    case '[':
        if (depth == 32) return at;
        objects = objects << 1 | (c == '{');
        depth++;
        at++;
        while (at < length && is_space(text[at])) at++;
        if (at < length && text[at] == (c == '{' ? '}' : ']')) goto close;
        if (c == '{') goto key;
        goto value;
    case '"':
        goto string;
    case 't':
        if (at + 4 > length || text[at + 1] != 'r' || text[at + 2] != 'u' || text[at + 3] != 'e') return at;
        at += 4;
        goto after;
    case 'f':
        if (at + 5 > length || text[at + 1] != 'a' || text[at + 2] != 'l' || text[at + 3] != 's' || text[at + 4] != 'e') return at;
        at += 5;
        goto after;
    case 'n':
        if (at + 4 > length || text[at + 1] != 'u' || text[at + 2] != 'l' || text[at + 3] != 'l') return at;
        at += 4;
        goto after;
    default:
        goto number;
    }

string:
    at++;
    for (;;) {
        if (at >= length) return at;
        c = (unsigned char)text[at];
        if (c < 32) return at;
        at++;
        if (c == '"') break;
        if (c != '\\') continue;
        if (at >= length) return at;
        switch (text[at++]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            continue;
        case 'u':
            for (int digit = 0; digit < 4; digit++, at++) {
                if (at >= length) return at;
                c = text[at] | 32;
                if (!is_digit(text[at]) && !(c >= 'a' && c <= 'f')) return at;
            }
            continue;
        default:
            return at - 1;
        }
    }
    goto after;

number:
    if (text[at] == '-') at++;
    if (at >= length || !is_digit(text[at])) return at;
    if (text[at] == '0') at++;
    else while (at < length && is_digit(text[at])) at++;
    if (at < length && text[at] == '.') {
        at++;
        if (at >= length || !is_digit(text[at])) return at;
        while (at < length && is_digit(text[at])) at++;
    }
    if (at < length && (text[at] | 32) == 'e') {
        at++;
        if (at < length && (text[at] == '+' || text[at] == '-')) at++;
        if (at >= length || !is_digit(text[at])) return at;
        while (at < length && is_digit(text[at])) at++;
    }

after:
    while (at < length && is_space(text[at])) at++;
    if (depth == 0) return at == length ? -1 : at;
    if (at == length) return at;
    if (text[at] == ',') {
        at++;
        if (objects & 1) goto key;
        goto value;
    }
    if (text[at] != (objects & 1 ? '}' : ']')) return at;
close:
    at++;
    depth--;
    objects >>= 1;
    goto after;

key:
    while (at < length && is_space(text[at])) at++;
    if (at == length || text[at] != '"') return at;
    at++;
    while (at < length && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    at++;
    while (at < length && is_space(text[at])) at++;
    if (at >= length || text[at] != ':') return at;
    at++;
    goto value;
}
