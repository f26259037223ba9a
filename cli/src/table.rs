//! JSON as text for people: fields as lines, lists of objects as tables.

use std::collections::VecDeque;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// An object with its fields in the order of the text, which [`Value`] loses.
struct Fields(Vec<(String, Field)>);

/// The value of a field.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Field {
    Object(Fields),
    Objects(Vec<Fields>),
    Other(Value),
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Map)
    }
}

/// A row: the name of its object, cells by column.
type Row = (String, Vec<(String, String)>);

/// Returns a JSON object as text: its fields, a line each, then a table per list of objects, also of
/// lists in the objects of tables.
pub(crate) fn of_json(json: &str) -> serde_json::Result<String> {
    let mut lists = VecDeque::new();
    let (_, cells) = row(serde_json::from_str(json)?, "", &mut lists);
    let mut text = aligned(
        cells
            .into_iter()
            .map(|(key, value)| vec![key, value])
            .collect(),
    );
    while let Some((title, objects)) = lists.pop_front() {
        let rows = objects
            .into_iter()
            .map(|object| row(object, &title, &mut lists));
        let rows: Vec<Row> = rows.collect();
        let mut columns: Vec<&str> = Vec::new();
        for (key, _) in rows.iter().flat_map(|(_, cells)| cells) {
            if !columns.contains(&key.as_str()) {
                columns.push(key);
            }
        }
        let cell = |(_, cells): &Row, column: &str| {
            let found = cells.iter().find(|(key, _)| key == column);
            found.map_or_else(String::new, |(_, value)| value.clone())
        };
        let body = rows
            .iter()
            .map(|row| columns.iter().map(|column| cell(row, column)).collect());
        let head = columns.iter().map(|&column| column.to_owned()).collect();
        let lines = std::iter::once(head).chain(body).collect();
        text += &format!("\n{title}\n{}", aligned(lines));
    }
    Ok(text)
}

/// Returns an object's row, and adds its lists of objects to `lists`.
fn row(object: Fields, title: &str, lists: &mut VecDeque<(String, Vec<Fields>)>) -> Row {
    let (mut name, mut cells) = (String::new(), Vec::new());
    // Objects in the object have their fields in the same row.
    let mut next: VecDeque<_> = object.0.into();
    while let Some((key, field)) = next.pop_front() {
        match field {
            Field::Objects(objects) if objects.is_empty() => {}
            Field::Objects(objects) => {
                let title = match title {
                    "" => key,
                    title => format!("{title} {name}: {key}"),
                };
                lists.push_back((title, objects));
            }
            Field::Object(fields) => {
                for (inner, field) in fields.0.into_iter().rev() {
                    next.push_front((format!("{key}.{inner}"), field));
                }
            }
            Field::Other(value) => {
                let value = text_of(&value);
                if name.is_empty() {
                    name.clone_from(&value);
                }
                cells.push((key, value));
            }
        }
    }
    (name, cells)
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => crate::files::printable(text),
        Value::Array(values) => values.iter().map(text_of).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

/// Returns lines of cells, two spaces or more between columns.
fn aligned(lines: Vec<Vec<String>>) -> String {
    let mut text = String::new();
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in &lines {
        let cells = line.iter().zip(&widths);
        let padded: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        text += padded.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn fields_are_lines_and_lists_are_tables() {
        let json = r#"{"stage": "pixel", "sizes": [8, 1], "empty": [], "entries": [
            {"name": "a", "at": {"set": 1, "binding": 20}, "inputs": [{"semantic": "COLOR"}]},
            {"name": "long", "flag": true}]}"#;
        let expected = "\
stage  pixel
sizes  8, 1

entries
name  at.set  at.binding  flag
a     1       20
long                      true

entries a: inputs
semantic
COLOR
";
        assert_eq!(super::of_json(json).unwrap(), expected);
    }
}
