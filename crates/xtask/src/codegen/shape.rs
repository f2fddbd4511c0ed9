//! The shapes of the protocol's types, parsed from their schemas.

use super::roots::{Side, definitions};
use super::text::plain;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A schema with none of the shapes below.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("{name}: {problem}; keep to structs, unions of structs and enums of names")]
pub(crate) struct UnknownShape {
    pub(super) name: String,
    pub(super) problem: String,
}

/// All types, ordered so that each comes after those it mentions.
#[derive(Debug)]
pub(super) struct Shapes(pub(super) Vec<Shape>);

/// A type.
#[derive(Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) documentation: String,
    pub(super) kind: Kind,
}

#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// An object. `tag` is set if it is the variant of a union.
    Struct { tag: Option<Tag>, fields: Vec<Field> },
    /// One of several structs, distinguished by a tag.
    Union { variants: Vec<Named> },
    /// One of several names.
    Names { names: Vec<Named> },
    /// One of several types, distinguished by their JSON representation.
    Either { values: Vec<ValueType> },
}

/// The field that distinguishes the variants of a union, and its value for this variant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) field: String,
    pub(super) value: String,
}

/// A name with its documentation.
#[derive(Debug, PartialEq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) documentation: String,
}

#[derive(Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) documentation: String,
    pub(super) value: ValueType,
    pub(super) default: Option<Value>,
}

#[derive(Debug, PartialEq)]
pub(super) enum ValueType {
    Any,
    Boolean,
    Integer,
    Float,
    Text,
    List(Box<ValueType>),
    /// A map from text to this type.
    Map(Box<ValueType>),
    Optional(Box<ValueType>),
    Reference(String),
}

impl Shapes {
    /// Returns the shapes of the protocol's types.
    pub(super) fn of_protocol() -> Result<Self, UnknownShape> {
        Self::read(&definitions(Side::Writer))
    }

    fn read(definitions: &Map<String, Value>) -> Result<Self, UnknownShape> {
        let mut shapes = BTreeMap::new();
        let mut tags: BTreeMap<String, Tag> = BTreeMap::new();
        for (name, schema) in definitions {
            let reader = Reader { name };
            let (shape, own_tags) = reader.shape(schema)?;
            for (variant, tag) in own_tags {
                // A struct has a single form, so it must have the same tag in all unions that contain it.
                if tags.insert(variant.clone(), tag.clone()).is_some_and(|before| before != tag) {
                    return Err(reader.unknown(format!("{variant} is a variant twice, with different tags")));
                }
            }
            shapes.insert(name.clone(), shape);
        }
        for (variant, own_tag) in tags {
            match shapes.get_mut(&variant).map(|shape| &mut shape.kind) {
                Some(Kind::Struct { tag, .. }) => *tag = Some(own_tag),
                _ => return Err(Reader { name: &variant }.unknown("a variant must wrap a struct")),
            }
        }
        Ok(Self(in_order(shapes)))
    }
}

/// Reads the schema of the type `name`.
struct Reader<'a> {
    name: &'a str,
}

impl Reader<'_> {
    fn unknown(&self, problem: impl Into<String>) -> UnknownShape {
        UnknownShape { name: self.name.to_owned(), problem: problem.into() }
    }

    /// Returns the shape, and the structs that it tags.
    fn shape(&self, schema: &Value) -> Result<(Shape, Vec<(String, Tag)>), UnknownShape> {
        let mut tags = Vec::new();
        let kind = match schema["oneOf"].as_array() {
            None if schema["anyOf"].is_array() => {
                let values = schema["anyOf"].as_array().into_iter().flatten();
                Kind::Either { values: values.map(|value| self.value_type(value)).collect::<Result<_, _>>()? }
            }
            None => Kind::Struct { tag: None, fields: self.fields(schema)? },
            Some(choices) if choices.iter().all(|choice| choice["const"].is_string()) => {
                Kind::Names { names: choices.iter().map(|choice| named(&choice["const"], choice)).collect() }
            }
            Some(choices) => {
                for choice in choices {
                    tags.push(self.tagged(choice)?);
                }
                let variants = choices.iter().zip(&tags).map(|(choice, (variant, _))| Named {
                    name: variant.clone(),
                    documentation: documentation(choice),
                });
                Kind::Union { variants: variants.collect() }
            }
        };
        Ok((Shape { name: self.name.to_owned(), documentation: documentation(schema), kind }, tags))
    }

    /// Returns the struct that a variant of a union wraps, and its tag.
    fn tagged(&self, choice: &Value) -> Result<(String, Tag), UnknownShape> {
        let variant =
            reference(choice).ok_or_else(|| self.unknown("a variant without a struct of its own"))?;
        let properties: Vec<_> = choice["properties"].as_object().into_iter().flatten().collect();
        match properties[..] {
            [(field, tag)] if tag["const"].is_string() => {
                let tag = Tag { field: field.clone(), value: text(&tag["const"]) };
                Ok((variant, tag))
            }
            _ => Err(self.unknown(format!("the variant {variant} is not tagged inside"))),
        }
    }

    /// Returns the fields in the order of declaration, which `required` preserves but `properties` does not.
    fn fields(&self, schema: &Value) -> Result<Vec<Field>, UnknownShape> {
        if schema["type"] != "object" {
            return Err(
                self.unknown("neither a struct, nor a union, nor an enum with a doc comment on each name")
            );
        }
        let no_properties = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&no_properties);
        let order = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        if order.len() != properties.len() {
            return Err(self.unknown("a field that is not always written"));
        }
        order.iter().map(|name| self.field(&text(name), &properties[&text(name)])).collect()
    }

    fn field(&self, name: &str, schema: &Value) -> Result<Field, UnknownShape> {
        Ok(Field {
            name: name.to_owned(),
            documentation: documentation(schema),
            value: self.value_type(schema)?,
            default: schema.get("default").cloned(),
        })
    }

    fn value_type(&self, schema: &Value) -> Result<ValueType, UnknownShape> {
        if let Some(name) = reference(schema) {
            return Ok(ValueType::Reference(name));
        }
        if let Some([value, null]) = schema["anyOf"].as_array().map(Vec::as_slice)
            && null["type"] == "null"
        {
            return Ok(ValueType::Optional(Box::new(self.value_type(value)?)));
        }
        if let Some([own, null]) = schema["type"].as_array().map(Vec::as_slice)
            && null == "null"
        {
            let mut value = schema.clone();
            value["type"] = own.clone();
            return Ok(ValueType::Optional(Box::new(self.value_type(&value)?)));
        }
        match schema["type"].as_str() {
            Some("boolean") => Ok(ValueType::Boolean),
            Some("integer") => Ok(ValueType::Integer),
            Some("number") => Ok(ValueType::Float),
            Some("string") => Ok(ValueType::Text),
            Some("array") => Ok(ValueType::List(Box::new(self.value_type(&schema["items"])?))),
            Some("object") if !schema["additionalProperties"].is_null() => {
                Ok(ValueType::Map(Box::new(self.value_type(&schema["additionalProperties"])?)))
            }
            None if schema == &Value::Bool(true) || schema.is_object() => Ok(ValueType::Any),
            _ => Err(self.unknown(format!("cannot read the field's schema {schema}"))),
        }
    }
}

impl Shape {
    /// Returns the names of the types that it mentions.
    fn mentions(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Struct { fields, .. } => {
                fields.iter().filter_map(|field| field.value.mentioned()).collect()
            }
            Kind::Union { variants } => variants.iter().map(|variant| variant.name.as_str()).collect(),
            Kind::Names { .. } => Vec::new(),
            Kind::Either { values } => values.iter().filter_map(ValueType::mentioned).collect(),
        }
    }
}

impl ValueType {
    fn mentioned(&self) -> Option<&str> {
        match self {
            Self::Reference(name) => Some(name),
            Self::List(inner) | Self::Map(inner) | Self::Optional(inner) => inner.mentioned(),
            Self::Any | Self::Boolean | Self::Integer | Self::Float | Self::Text => None,
        }
    }
}

/// Orders the shapes so that each comes after those it mentions, and otherwise by name.
fn in_order(mut shapes: BTreeMap<String, Shape>) -> Vec<Shape> {
    fn visit(
        name: &str,
        shapes: &BTreeMap<String, Shape>,
        seen: &mut BTreeSet<String>,
        order: &mut Vec<String>,
    ) {
        if let Some(shape) = shapes.get(name)
            && seen.insert(name.to_owned())
        {
            for mentioned in shape.mentions() {
                visit(mentioned, shapes, seen, order);
            }
            order.push(name.to_owned());
        }
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    for name in shapes.keys() {
        visit(name, &shapes, &mut seen, &mut order);
    }
    order.iter().filter_map(|name| shapes.remove(name)).collect()
}

fn reference(schema: &Value) -> Option<String> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/").map(str::to_owned)
}

fn named(name: &Value, schema: &Value) -> Named {
    Named { name: text(name), documentation: documentation(schema) }
}

fn documentation(schema: &Value) -> String {
    plain(&text(&schema["description"]))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(definitions: Value) -> Result<Shapes, UnknownShape> {
        Shapes::read(definitions.as_object().unwrap())
    }

    fn variant(name: &str, tag: &str) -> Value {
        json!({"$ref": format!("#/$defs/{name}"), "properties": {"kind": {"const": tag}}})
    }

    #[test]
    fn fields_keep_their_order_and_types_stand_after_what_they_mention() {
        let number = json!({"type": "integer"});
        let list = json!({"type": "array", "items": {"$ref": "#/$defs/Z"}});
        let shapes = read(json!({
            "A": {"type": "object", "properties": {"a": number, "b": list}, "required": ["b", "a"]},
            "Z": {"type": "object"},
        }))
        .unwrap();
        let names: Vec<_> = shapes.0.iter().map(|shape| shape.name.as_str()).collect();
        assert_eq!(names, ["Z", "A"]);
        let Kind::Struct { fields, .. } = &shapes.0[1].kind else { panic!("{shapes:?}") };
        assert_eq!(fields[0].value, ValueType::List(Box::new(ValueType::Reference("Z".to_owned()))));
        assert_eq!(fields[1].name, "a");
    }

    #[test]
    fn an_optional_is_seen_in_both_its_forms() {
        let properties = json!({
            "text": {"type": ["string", "null"]},
            "other": {"anyOf": [{"$ref": "#/$defs/Z"}, {"type": "null"}]},
        });
        let definition = json!({"type": "object", "properties": properties, "required": ["text", "other"]});
        let shapes = read(json!({"A": definition})).unwrap();
        let Kind::Struct { fields, .. } = &shapes.0[0].kind else { panic!("{shapes:?}") };
        assert_eq!(fields[0].value, ValueType::Optional(Box::new(ValueType::Text)));
        assert_eq!(fields[1].value, ValueType::Optional(Box::new(ValueType::Reference("Z".to_owned()))));
    }

    #[test]
    fn a_struct_that_two_unions_tag_is_refused() {
        let definitions = json!({
            "One": {"oneOf": [variant("V", "v")]},
            "Two": {"oneOf": [variant("V", "w")]},
            "V": {"type": "object"},
        });
        assert_eq!(read(definitions).unwrap_err().name, "Two");
    }

    #[test]
    fn what_has_no_counterpart_is_refused() {
        let untagged = json!({"oneOf": [{"$ref": "#/$defs/V"}]});
        let undocumented = json!({"enum": ["a", "b"], "type": "string"});
        let skipped = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let tuple = json!({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]});
        for definition in [untagged, undocumented, skipped, tuple] {
            let error = read(json!({"A": definition, "V": {"type": "object"}})).unwrap_err();
            assert_eq!(error.name, "A", "{error}");
        }
    }
}
