/** The route: the part of the address after `#`, so that reloads and links lead to the same screen. */
import { useSyncExternalStore } from "react";

export type Route =
  | { screen: "tasks" }
  | { screen: "new" }
  | { screen: "task"; task: string }
  | { screen: "inbox"; request?: string }
  | { screen: "files" }
  | { screen: "memory" }
  | { screen: "rules" }
  | { screen: "usage" }
  | { screen: "devices" }
  | { screen: "settings" };

export function parseRoute(hash: string): Route {
  const [screen, id] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  switch (screen) {
    case "tasks":
      return id ? { screen: "task", task: id } : { screen: "tasks" };
    case "inbox":
      return id ? { screen: "inbox", request: id } : { screen: "inbox" };
    case "new":
    case "files":
    case "memory":
    case "rules":
    case "usage":
    case "devices":
    case "settings":
      return { screen };
    default:
      return { screen: "tasks" };
  }
}

export function hrefOf(route: Route): string {
  switch (route.screen) {
    case "task":
      return `#/tasks/${encodeURIComponent(route.task)}`;
    case "inbox":
      return route.request ? `#/inbox/${encodeURIComponent(route.request)}` : "#/inbox";
    default:
      return `#/${route.screen}`;
  }
}

export function go(route: Route) {
  window.location.hash = hrefOf(route);
}

function subscribe(listener: () => void) {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

let last: { hash: string; route: Route } | undefined;

function now(): Route {
  const { hash } = window.location;
  if (last?.hash !== hash) last = { hash, route: parseRoute(hash) };
  return last.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, now);
}
