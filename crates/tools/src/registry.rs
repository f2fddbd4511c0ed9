//! The registry of tools, which checks a call before anything else happens with it.

use crate::Searching;
use crate::carried::Carried;
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
use std::sync::Arc;

/// All tools, in the order in which models see them.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Vec<Known>,
    /// What tasks have read on the web. All tools that send web requests check it.
    carried: PerTask<Carried>,
    browsers: Browsers,
    models: ModelsOfHost,
}

/// A tool and its spec for planners. The spec is computed once, because every plan includes it.
#[derive(Clone)]
struct Known {
    tool: Arc<dyn Tool>,
    spec: ToolSpec,
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
        let spec = ToolSpec {
            name: tool.name().to_owned(),
            description: tool.description().to_owned(),
            parameters: tool.parameters(),
        };
        let new = Known { tool, spec };
        match self.tools.iter_mut().find(|known| known.spec.name == new.spec.name) {
            Some(known) => *known = new,
            None => self.tools.push(new),
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
        self.tools.iter().map(|known| known.spec.name.clone()).collect()
    }

    /// Finds a tool by name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.iter().find(|known| known.spec.name == name).map(|known| &known.tool)
    }

    /// Returns the specs of the tools in `allowed` for a planner, with the task's limits applied.
    pub fn specs(&self, allowed: &[String], limits: &Limits) -> Vec<ToolSpec> {
        let told = |known: &&Known| allowed.contains(&known.spec.name);
        let bound = |known: &Known| {
            let mut spec = known.spec.clone();
            known.tool.bound(&mut spec.parameters, limits);
            spec
        };
        self.tools.iter().filter(told).map(bound).collect()
    }

    /// Finds a tool by name among those in `allowed`.
    ///
    /// # Errors
    ///
    /// [`InvalidCall::UnknownTool`] with the message for the model.
    pub fn find(&self, name: &str, allowed: &[String]) -> Result<&Arc<dyn Tool>, InvalidCall> {
        let may = |known: &&Known| allowed.contains(&known.spec.name);
        if let Some(known) = self.tools.iter().filter(may).find(|known| known.spec.name == name) {
            return Ok(&known.tool);
        }
        let known: Vec<String> = self.tools.iter().filter(may).map(|known| known.spec.name.clone()).collect();
        let candidates: Vec<&str> = known.iter().map(String::as_str).collect();
        let nearest = similar::get_close_matches(name.to_lowercase().as_str(), &candidates, 1, 0.6);
        let nearest = nearest.first().map(|name| (*name).to_owned());
        Err(InvalidCall::UnknownTool { name: name.to_owned(), nearest, known })
    }

    /// Checks a call: the tool exists and is allowed, and its parameters are valid. Returns the tool and what the call
    /// would touch.
    pub fn check(
        &self,
        call: &ToolCall,
        allowed: &[String],
        place: &Place,
    ) -> Result<(&Arc<dyn Tool>, Facts), InvalidCall> {
        let tool = self.find(&call.tool, allowed)?;
        let facts = tool.facts_of(&call.id, &call.parameters, place)?;
        Ok((tool, facts))
    }
}
