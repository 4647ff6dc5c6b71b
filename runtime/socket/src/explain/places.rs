//! A place in a request, which `serde` reads with errors that know their place.
//! Used by `explain` alone. The law: it accepts what `serde_json` accepts, but for lists in place of objects.

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Map, Value};

use super::mistake::{ReadMistake, shown};

/// A place in a request.
#[derive(Clone, Copy)]
pub(super) struct Place<'v> {
    value: &'v Value,
    /// Numbers are written as texts, as in an address.
    texts: bool,
}

impl<'v> Place<'v> {
    pub(super) fn json(value: &'v Value) -> Place<'v> {
        Place {
            value,
            texts: false,
        }
    }

    pub(super) fn text(value: &'v Value) -> Place<'v> {
        Place { value, texts: true }
    }

    fn at(self, value: &'v Value) -> Place<'v> {
        Place { value, ..self }
    }

    fn visit<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, ReadMistake> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(it) => visitor.visit_bool(*it),
            Value::Number(it) => match (it.as_u64(), it.as_i64()) {
                (Some(it), _) => visitor.visit_u64(it),
                (_, Some(it)) => visitor.visit_i64(it),
                _ => visitor.visit_f64(it.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) if self.texts => self.visit_text(text, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => self.visit_items(items, visitor),
            Value::Object(fields) => visitor.visit_map(Fields::of(self, fields)),
        }
        .map_err(|it| it.of(self.value))
    }

    /// A list, all of whose items must be wanted.
    fn visit_items<V: Visitor<'v>>(
        self,
        items: &'v [Value],
        visitor: V,
    ) -> Result<V::Value, ReadMistake> {
        let mut read = 0;
        let found = visitor.visit_seq(Items {
            place: self,
            left: items.iter().enumerate(),
            read: &mut read,
        })?;
        if read < items.len() {
            let wanted = format!(
                "a list of {read} {}",
                if read == 1 { "item" } else { "items" }
            );
            return Err(ReadMistake::expected(&wanted).came(&format!("one of {}", items.len())));
        }
        Ok(found)
    }

    /// A number or a truth value, if the text is one; else the text.
    fn visit_text<V: Visitor<'v>>(
        self,
        text: &'v str,
        visitor: V,
    ) -> Result<V::Value, ReadMistake> {
        if let Ok(it) = text.parse::<u64>() {
            return visitor.visit_u64(it);
        }
        if let Ok(it) = text.parse::<i64>() {
            return visitor.visit_i64(it);
        }
        match (text.parse::<f64>(), text.parse::<bool>()) {
            (Ok(it), _) => visitor.visit_f64(it),
            (_, Ok(it)) => visitor.visit_bool(it),
            _ => visitor.visit_borrowed_str(text),
        }
    }
}

impl<'v> Deserializer<'v> for Place<'v> {
    type Error = ReadMistake;

    fn deserialize_any<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, ReadMistake> {
        self.visit(visitor)
    }

    fn deserialize_str<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, ReadMistake> {
        Place {
            texts: false,
            ..self
        }
        .visit(visitor)
    }

    fn deserialize_string<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, ReadMistake> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, ReadMistake> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, ReadMistake> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadMistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadMistake> {
        match self.value {
            Value::Object(_) => self.visit(visitor),
            other => Err(ReadMistake::expected("an object").of(other)),
        }
    }

    fn deserialize_enum<V: Visitor<'v>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadMistake> {
        let found = match self.value {
            Value::String(word) => {
                let word: StrDeserializer<'_, ReadMistake> = word.as_str().into_deserializer();
                visitor.visit_enum(word)
            }
            Value::Object(fields) if fields.len() == 1 => match fields.iter().next() {
                Some((word, inside)) => visitor.visit_enum(Variant {
                    word,
                    inside: self.at(inside),
                }),
                None => Err(ReadMistake::expected("a word")),
            },
            _ => Err(serde::de::Error::unknown_variant("", words)),
        };
        found.map_err(|it: ReadMistake| it.of(self.value))
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'v>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map ignored_any
    }
}

/// The items of a list.
struct Items<'v, 'r, I> {
    place: Place<'v>,
    left: I,
    /// How many have been read.
    read: &'r mut usize,
}

impl<'v, I: Iterator<Item = (usize, &'v Value)>> SeqAccess<'v> for Items<'v, '_, I> {
    type Error = ReadMistake;

    fn next_element_seed<S: DeserializeSeed<'v>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ReadMistake> {
        let Some((number, value)) = self.left.next() else {
            return Ok(None);
        };
        *self.read += 1;
        let read = seed.deserialize(self.place.at(value));
        read.map(Some)
            .map_err(|it| it.of(value).inside(format!("[{number}]")))
    }
}

/// The fields of an object.
struct Fields<'v> {
    place: Place<'v>,
    left: serde_json::map::Iter<'v>,
    next: Option<(&'v String, &'v Value)>,
}

impl<'v> Fields<'v> {
    fn of(place: Place<'v>, fields: &'v Map<String, Value>) -> Fields<'v> {
        Fields {
            place,
            left: fields.iter(),
            next: None,
        }
    }
}

impl<'v> MapAccess<'v> for Fields<'v> {
    type Error = ReadMistake;

    fn next_key_seed<S: DeserializeSeed<'v>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ReadMistake> {
        self.next = self.left.next();
        let Some((name, _)) = self.next else {
            return Ok(None);
        };
        let name: StrDeserializer<'_, ReadMistake> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'v>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, ReadMistake> {
        let (name, value) = self.next.take().unzip();
        let value = value.unwrap_or(&Value::Null);
        let step = format!(".{}", shown(name.map_or("", String::as_str)));
        let read = seed.deserialize(self.place.at(value));
        read.map_err(|it| it.of(value).inside(step))
    }
}

/// A word with something inside it.
struct Variant<'v> {
    word: &'v str,
    inside: Place<'v>,
}

impl<'v> EnumAccess<'v> for Variant<'v> {
    type Error = ReadMistake;
    type Variant = Variant<'v>;

    fn variant_seed<S: DeserializeSeed<'v>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Variant<'v>), ReadMistake> {
        let word: StrDeserializer<'_, ReadMistake> = self.word.into_deserializer();
        Ok((seed.deserialize(word)?, self))
    }
}

impl<'v> Variant<'v> {
    fn step(&self) -> String {
        format!(".{}", shown(self.word))
    }
}

impl<'v> VariantAccess<'v> for Variant<'v> {
    type Error = ReadMistake;

    fn unit_variant(self) -> Result<(), ReadMistake> {
        match self.inside.value {
            Value::Null => Ok(()),
            other => Err(ReadMistake::expected("the word alone")
                .of(other)
                .inside(self.step())),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'v>>(
        self,
        seed: S,
    ) -> Result<S::Value, ReadMistake> {
        let read = seed.deserialize(self.inside);
        read.map_err(|it| it.inside(self.step()))
    }

    fn tuple_variant<V: Visitor<'v>>(self, _: usize, visitor: V) -> Result<V::Value, ReadMistake> {
        let read = self.inside.visit(visitor);
        read.map_err(|it| it.inside(self.step()))
    }

    fn struct_variant<V: Visitor<'v>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadMistake> {
        let read = self.inside.deserialize_struct("", fields, visitor);
        read.map_err(|it| it.inside(self.step()))
    }
}
