import { describe, expect, it } from "vitest";
import type { FileState, UndoneFile, UndoneRepository } from "../protocol";
import { changesOf, isRefused, repositoriesOf } from "./undone";

const ABSENT: FileState = { kind: "absent" };
const FOLDER: FileState = { kind: "folder", mode: 0o755, output: null };
const FILE: FileState = { kind: "file", digest: "d", size_bytes: 1, mode: 0o644 };

function undone(path: string, after: FileState): UndoneFile {
  return {
    call: "c-1",
    change: { path, before: ABSENT, after, before_modified: null },
    restored: true,
    message: "removed",
  };
}

describe("what an undo counts", () => {
  it("does not count a folder that went with its files", () => {
    const files = [undone("/w/new/a.txt", FILE), undone("/w/new", FOLDER)];
    expect(changesOf(files).map((file) => file.change.path)).toEqual(["/w/new/a.txt"]);
  });

  it("counts folders where nothing else was changed", () => {
    expect(changesOf([undone("/w/new", FOLDER)])).toHaveLength(1);
  });

  it("counts a repository that there is something to say about", () => {
    const repository = (outcome: UndoneRepository["outcome"], message: string): UndoneRepository => {
      return { folder: "/w/.git", calls: ["c-1"], is_whole: false, outcome, message };
    };
    expect(
      repositoriesOf([repository("restored", ""), repository("restored", "main at 1234567")]),
    ).toHaveLength(1);
    expect(isRefused([repository("restored", ""), repository("refused", "main has moved since.")])).toBe(
      true,
    );
    expect(isRefused([repository("possible", "main at 1234567")])).toBe(false);
    // An older host says nothing about repositories.
    expect(repositoriesOf(undefined)).toHaveLength(0);
  });
});
