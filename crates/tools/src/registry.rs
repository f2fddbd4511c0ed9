//! The registry of tools, which checks a call before anything else happens with it.

use crate::Searching;
use crate::carried::Carried;
use crate::functions::{Function, Functions, Group, OPEN_TOOLS, OpenTools, opening, text_of};
use crate::inference::{Models, ModelsOfHost, PythonInference};
use crate::organize::{Organize, OrganizeHome};
use crate::per_task::PerTask;
use crate::tool::{InvalidCall, Place, Tool, Typed};
use crate::{
    archive::Archive,
    background::Background,
    browser::{Browser, Browsers},
    code::Code,
    delegate::Delegate,
    fetch::Fetch,
    memory::Memory,
    search::Search,
    shell::Shell,
    skill::SkillTool,
    table::Table,
    tags::Tags,
    todo::Todo,
    web_search::WebSearch,
};
use deputy_protocol::{Facts, Limits, ToolCall, ToolSpec};
use serde_json::Value;
use std::sync::Arc;

/// All tools, and the functions that models see of them.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
    functions: Functions,
    /// What tasks have read on the web. All tools that send web requests check it.
    carried: PerTask<Carried>,
    browsers: Browsers,
    models: ModelsOfHost,
}

impl Registry {
    /// Creates a registry with the tools that come with Deputy.
    pub fn standard() -> Self {
        let mut registry = Self::default();
        registry.add(Arc::new(Typed(Search)));
        registry.add(Arc::new(Typed(Code)));
        registry.add(Arc::new(Typed(Archive)));
        registry.add(Arc::new(Typed(Table)));
        registry.add(Arc::new(Typed(Tags)));
        registry.add(Arc::new(Typed(Shell)));
        registry.add(Arc::new(Typed(Background)));
        let carried = registry.carried.clone();
        registry.add(Arc::new(Typed(Fetch::new(carried.clone()))));
        let browsers = registry.browsers.clone();
        registry.add(Arc::new(Typed(Browser::new(browsers, carried))));
        let none: Searching = Arc::new(|| Err("no search provider is set".into()));
        registry = registry.searching(none);
        registry.add(Arc::new(Typed(Memory)));
        registry.add(Arc::new(Typed(Todo)));
        registry.add(Arc::new(Typed(SkillTool)));
        registry.add(Arc::new(Typed(Delegate)));
        registry.add(Arc::new(Typed(OpenTools)));
        let models = registry.models.clone();
        registry.add(Arc::new(Typed(PythonInference::new(models))));
        registry
    }

    /// Adds the tool that organizes folders. Its jobs are stored in `home`.
    #[must_use]
    pub fn organizing(mut self, home: OrganizeHome) -> Self {
        self.add(Arc::new(Typed(Organize::new(home))));
        self
    }

    /// Adds the web search tool, with the provider that a person configures.
    #[must_use]
    pub fn searching(mut self, searching: Searching) -> Self {
        let tool = WebSearch::new(searching, self.carried.clone());
        self.add(Arc::new(Typed(tool)));
        self
    }

    /// Adds a tool. Replaces a tool with the same name.
    pub fn add(&mut self, tool: Arc<dyn Tool>) {
        self.functions.add(&tool);
        match self.tools.iter_mut().find(|known| known.name() == tool.name()) {
            Some(known) => *known = tool,
            None => self.tools.push(tool),
        }
    }

    /// Sets the models that tasks can ask from now on.
    pub fn asks(&self, models: Arc<dyn Models>) {
        self.models.are(models);
    }

    /// Returns the browsers of all tasks.
    pub fn browsers(&self) -> &Browsers {
        &self.browsers
    }

    /// Returns the names of all tools.
    pub fn names(&self) -> Vec<String> {
        self.tools.iter().map(|tool| tool.name().to_owned()).collect()
    }

    /// Finds a tool by name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    /// Returns the groups of the functions in `allowed`.
    pub fn groups(&self, allowed: &[String]) -> Vec<Group> {
        let mut groups: Vec<Group> = self.allowed(allowed).filter_map(|function| function.group).collect();
        groups.dedup();
        groups
    }

    /// Returns the functions in `allowed` for a planner, with the task's limits applied: those of the groups `first`, the
    /// function that opens the others, and those of the groups that were opened, in that order. What comes first stays the
    /// same when a group is opened.
    pub fn specs(
        &self,
        allowed: &[String],
        first: &[Group],
        opened: &[Group],
        limits: &Limits,
    ) -> Vec<ToolSpec> {
        let is_first = |function: &&Function| function.group.is_none_or(|group| first.contains(&group));
        let mut specs: Vec<ToolSpec> =
            self.allowed(allowed).filter(is_first).map(|function| function.spec(limits)).collect();
        let others: Vec<Group> = self
            .groups(allowed)
            .into_iter()
            .filter(|group| group.can_be_opened() && !first.contains(group))
            .collect();
        if !others.is_empty() {
            specs.extend(self.opener(&others, limits));
        }
        for group in opened.iter().filter(|group| others.contains(group)) {
            let of_group = self.allowed(allowed).filter(|function| function.group == Some(*group));
            specs.extend(of_group.map(|function| function.spec(limits)));
        }
        specs
    }

    /// Returns the names of the tools in `allowed`, for the planner that works without a model and knows them.
    pub fn bare_specs(&self, allowed: &[String]) -> Vec<ToolSpec> {
        let spec = |tool: &Arc<dyn Tool>| ToolSpec {
            name: tool.name().to_owned(),
            description: String::new(),
            parameters: Value::Object(serde_json::Map::new()),
        };
        self.tools.iter().filter(|tool| allowed.iter().any(|one| one == tool.name())).map(spec).collect()
    }

    /// Returns the number of functions in `allowed`.
    pub fn count(&self, allowed: &[String]) -> usize {
        self.allowed(allowed).count()
    }

    /// Returns the function that opens groups.
    fn opener(&self, groups: &[Group], limits: &Limits) -> Option<ToolSpec> {
        let opener = self.functions.offered().find(|function| function.tool == OPEN_TOOLS)?;
        let mut spec = opener.spec(limits);
        spec.description = opening(groups);
        spec.parameters["properties"]["group"]["enum"] = groups.iter().map(|group| group.name()).collect();
        Some(spec)
    }

    /// Returns the text of the functions of a group that are in `allowed`. `None` if there are none.
    pub fn text_of(&self, group: Group, allowed: &[String]) -> Option<String> {
        let text = text_of(self.allowed(allowed).filter(|function| function.group == Some(group)));
        (!text.is_empty() && group.can_be_opened()).then_some(text)
    }

    fn allowed<'a>(&'a self, allowed: &'a [String]) -> impl Iterator<Item = &'a Function> {
        self.functions.offered().filter(|function| function.is_in(allowed))
    }

    /// Translates a call of a function, as a model wrote it, to the call of a tool.
    pub fn translate(&self, call: &mut ToolCall) {
        self.functions.translate(call);
    }

    /// Checks a call: the tool exists and its action is allowed, and its parameters are valid. Returns the tool and what
    /// the call would touch.
    ///
    /// # Errors
    ///
    /// [`InvalidCall`] with the message for the model.
    pub fn check(
        &self,
        call: &ToolCall,
        allowed: &[String],
        place: &Place,
    ) -> Result<(&Arc<dyn Tool>, Facts), InvalidCall> {
        let is_allowed = may(call, allowed);
        let Some(tool) = self.get(&call.tool).filter(|_| is_allowed) else {
            return Err(self.functions.unknown(call.written_name(), allowed));
        };
        self.functions.check(call)?;
        let facts = tool.facts_of(&call.id, &call.parameters, place);
        Ok((tool, facts.map_err(|error| self.functions.in_words_of(call, error))?))
    }
}

/// Returns whether a list of tools contains the tool of a call, or its action as `tool.action`. Opening groups is always
/// allowed, because a group has only functions that are.
fn may(call: &ToolCall, allowed: &[String]) -> bool {
    let action = call.parameters.get("action").and_then(Value::as_str);
    call.tool == OPEN_TOOLS
        || allowed.iter().any(|one| match one.split_once('.') {
            None => *one == call.tool,
            Some((tool, own)) => tool == call.tool && action == Some(own),
        })
}
