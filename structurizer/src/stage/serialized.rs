//! The serialized form of a set of stages: an object with a switch per optional stage.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Stage, Stages};

impl Serialize for Stages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Stage::OPTIONAL.len()))?;
        for stage in Stage::OPTIONAL {
            map.serialize_entry(stage.name(), &self.contains(stage))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Stages {
    /// Reads switches; a stage that is not named is on.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Switches)
    }
}

struct Switches;

impl<'de> Visitor<'de> for Switches {
    type Value = Stages;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with true or false per optional stage")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stages, A::Error> {
        let (mut stages, mut named) = (Stages::ALL, Stages::NONE);
        while let Some(name) = map.next_key::<String>()? {
            let stage = Stage::OPTIONAL.into_iter().find(|s| s.name() == name);
            let Some(stage) = stage else {
                let names = Stage::OPTIONAL.map(|stage| format!("`{}`", stage.name()));
                let names = names.join(", ");
                return Err(A::Error::custom(format!(
                    "unknown stage `{name}`, expected one of {names}"
                )));
            };
            if named.contains(stage) {
                return Err(A::Error::custom(format!("stage `{name}` is named twice")));
            }
            named = named.with(stage);
            if !map.next_value::<bool>()? {
                stages = stages.without(stage);
            }
        }
        Ok(stages)
    }
}
