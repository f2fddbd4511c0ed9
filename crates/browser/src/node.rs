//! Nodes of the browser's accessibility tree, and the meaning of their roles for a reader.

use serde::Deserialize;
use serde_json::Value;

/// A node of the accessibility tree, as reported by the browser.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Node {
    pub(crate) node_id: String,
    #[serde(default)]
    pub(crate) ignored: bool,
    role: Option<Said>,
    name: Option<Said>,
    value: Option<Said>,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    pub(crate) child_ids: Vec<String>,
    pub(crate) parent_id: Option<String>,
    #[serde(rename = "backendDOMNodeId")]
    pub(crate) backend: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Said {
    #[serde(default)]
    value: Value,
}

#[derive(Debug, Deserialize)]
struct Property {
    name: String,
    value: Said,
}

impl Node {
    pub(crate) fn role(&self) -> &str {
        self.role.as_ref().and_then(|role| role.value.as_str()).unwrap_or_default()
    }

    pub(crate) fn name(&self) -> String {
        let name = self.name.as_ref().and_then(|name| name.value.as_str()).unwrap_or_default();
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn value(&self) -> Option<String> {
        let value = &self.value.as_ref()?.value;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    pub(crate) fn property(&self, name: &str) -> Option<&Value> {
        self.properties.iter().find(|property| property.name == name).map(|property| &property.value.value)
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        let value = self.property(name);
        value.is_some_and(|value| value.as_bool() == Some(true) || value.as_str() == Some("true"))
    }

    /// Returns whether the role has no meaning for a reader.
    pub(crate) fn is_plain(&self) -> bool {
        const PLAIN: &[&str] = &[
            "generic",
            "none",
            "presentation",
            "LayoutTable",
            "LayoutTableRow",
            "LayoutTableCell",
            "rowgroup",
            "strong",
            "emphasis",
            "Section",
            "RootWebArea",
            "DescriptionListDetail",
            "DescriptionList",
        ];
        self.ignored || PLAIN.contains(&self.role())
    }

    /// Returns whether the node is a block that a reader perceives as a separate piece.
    pub(crate) fn is_block(&self) -> bool {
        matches!(
            self.role(),
            "heading"
                | "paragraph"
                | "list"
                | "listitem"
                | "table"
                | "row"
                | "cell"
                | "Iframe"
                | "blockquote"
        )
    }

    /// Returns whether the node contains what a person types or selects.
    pub(crate) fn is_written(&self) -> bool {
        matches!(self.role(), "textbox" | "searchbox" | "combobox") || short(self.role()) != self.role()
    }

    /// Returns whether the node supports an action.
    pub(crate) fn is_for_acting(&self) -> bool {
        const ACTED_ON: &[&str] = &[
            "button",
            "checkbox",
            "combobox",
            "ComboBoxMenuButton",
            "ComboBoxSelect",
            "DisclosureTriangle",
            "Date",
            "DateTime",
            "ColorWell",
            "InputTime",
            "link",
            "listbox",
            "menuitem",
            "menuitemcheckbox",
            "menuitemradio",
            "option",
            "MenuListOption",
            "PopUpButton",
            "radio",
            "searchbox",
            "slider",
            "spinbutton",
            "switch",
            "tab",
            "textbox",
            "ToggleButton",
            "treeitem",
        ];
        ACTED_ON.contains(&self.role())
    }
}

/// Returns the common name of a role.
pub(crate) fn short(role: &str) -> &str {
    match role {
        "ComboBoxMenuButton" | "ComboBoxSelect" | "PopUpButton" => "combobox",
        "MenuListOption" => "option",
        "ToggleButton" | "DisclosureTriangle" => "button",
        "Date" | "DateTime" | "InputTime" | "ColorWell" => "textbox",
        other => other,
    }
}
