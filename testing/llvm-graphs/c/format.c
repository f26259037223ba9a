// What printf does: flags, width, precision, conversions; cases that fall into others.

struct output {
    char *text;
    int length, room;
};

static void put(struct output *out, int c) {
    if (out->length < out->room) out->text[out->length] = (char)c;
    out->length++;
}

int format(struct output *out, const char *how, const long *arguments, int count) {
    int used = 0, c;
    while ((c = *how++)) {
        if (c != '%') {
            put(out, c);
            continue;
        }
        int left = 0, zero = 0, plus = 0, alternate = 0, width = 0, precision = -1, base = 10, upper = 0, negative = 0, digits = 0;
        unsigned long value;
        char buffer[32];
    flag:
        switch (c = *how++) {
        case '-': left = 1; goto flag;
        case '0': zero = 1; goto flag;
        case '+': plus = '+'; goto flag;
        case ' ': if (!plus) plus = ' '; goto flag;
        case '#': alternate = 1; goto flag;
        }
        if (c == '*') {
            if (used == count) return -1;
            width = (int)arguments[used++];
            if (width < 0) left = 1, width = -width;
            c = *how++;
        } else {
            for (; c >= '0' && c <= '9'; c = *how++) width = width * 10 + c - '0';
        }
        if (c == '.') {
            precision = 0;
            for (c = *how++; c >= '0' && c <= '9'; c = *how++) precision = precision * 10 + c - '0';
        }
        while (c == 'l' || c == 'h') c = *how++;
        switch (c) {
        case '%': put(out, '%'); continue;
        case 'c':
            if (used == count) return -1;
            for (; !left && width > 1; width--) put(out, ' ');
            put(out, (int)arguments[used++]);
            for (; width > 1; width--) put(out, ' ');
            continue;
        case 'd': case 'i':
            if (used == count) return -1;
            negative = arguments[used] < 0;
            value = negative ? -(unsigned long)arguments[used] : (unsigned long)arguments[used];
            used++;
            break;
        case 'X': upper = 'A' - 'a';
            // Falls through.
        case 'x': base = 16; goto number;
        case 'o': base = 8; goto number;
        case 'b': base = 2; goto number;
        case 'u':
        number:
            if (used == count) return -1;
            value = (unsigned long)arguments[used++];
            plus = 0;
            break;
        case 0: return -2;
        default: return -3;
        }
        do {
            int digit = (int)(value % base);
            buffer[digits++] = (char)(digit < 10 ? '0' + digit : 'a' + upper + digit - 10);
            value /= base;
        } while (value && digits < 30);
        int sign = negative ? '-' : plus, need = digits > precision ? digits : precision;
        need += (sign != 0) + (alternate && base == 16 ? 2 : 0);
        if (!left && !(zero && precision < 0)) for (; width > need; width--) put(out, ' ');
        if (sign) put(out, sign);
        if (alternate && base == 16) put(out, '0'), put(out, 'x' + upper);
        if (!left && zero && precision < 0) for (; width > need; width--) put(out, '0');
        for (; precision > digits; precision--) put(out, '0');
        while (digits > 0) put(out, buffer[--digits]);
        if (left) for (; width > need; width--) put(out, ' ');
    }
    return out->length;
}
