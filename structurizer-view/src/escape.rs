//! Escapes untrusted text for SVG, HTML and DOT.

use std::fmt::{self, Display, Write};

/// Text in XML or HTML, in an element or in an attribute in double quotes. Characters that XML
/// cannot contain become U+FFFD.
pub(crate) struct Xml<'a>(pub(crate) &'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' => f.write_char(' ')?,
                '\n' | '\r' => f.write_char(' ')?,
                // XML 1.0, production 2 (Char), less the C1 controls.
                '\0'..'\u{20}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                    f.write_char('\u{fffd}')?;
                }
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Text in a quoted string of DOT.
pub(crate) struct Dot<'a>(pub(crate) &'a str);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                c if c.is_control() => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Returns the first characters of a text, with an ellipsis if there are more than `most`.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::{Dot, Xml, shortened};

    #[test]
    fn nothing_gets_out_of_its_quotes() {
        assert_eq!(
            Xml("<b onload='x'>&\"\u{0}\n").to_string(),
            "&lt;b onload=&#39;x&#39;&gt;&amp;&quot;\u{fffd} "
        );
        assert_eq!(Dot("a\"];\\n\n").to_string(), "a\\\"];\\\\n ");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("äöüß", 4), "äöüß");
        assert_eq!(shortened("äöüßa", 4), "äöü…");
    }
}
