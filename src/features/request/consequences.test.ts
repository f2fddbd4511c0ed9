import { afterEach, describe, expect, it } from "vitest";
import { setLanguage } from "../../text";
import { consequence, wordsOf } from "./consequences";

describe("what a command comes to", () => {
  afterEach(() => setLanguage("en"));

  it.each([
    ["rm -rf logs/a.log logs/b.log logs/c.log", "Delete 3 items in logs"],
    ["rm -- '-odd name'", "Delete -odd name"],
    ["rm a.txt b/c.txt d.txt", "Delete 3 items"],
    ["/bin/rm -rf node_modules", "Delete node_modules"],
    ["git push origin main", "Push main to origin"],
    ["git push", "Push to the remote"],
    ["git push --force origin main", "Force-push main to origin"],
    ["git push -fu origin main", "Force-push main to origin"],
    ["git push --force-with-lease=main:abc origin main", "Force-push main to origin"],
    ["git push origin +main", "Force-push +main to origin"],
    ["git push origin :old", "Force-push :old to origin"],
    ["git push --delete origin old", "Force-push old to origin"],
    ["git commit -m x", "Commit changes"],
    ["git -c core.pager=x log", "Run git"],
    ["npm install left-pad", "Install left-pad"],
    ["npm ci", "Install packages"],
    ["curl -fsS https://stats.example.org/x -o report.csv", "Download from stats.example.org"],
    ["curl -sd @count.txt https://example.org", "Send data to example.org"],
    ["curl --data-binary @a https://example.org", "Send data to example.org"],
    ["mv a.txt b.txt", "Move a.txt to b.txt"],
    ["cargo test --workspace", "Run cargo test"],
    ["python3 setup.py", "Run python3"],
    ['rm "$HOME"', "Run rm"],
    ["rm a\u202etxt", "Delete a⟨U+202E⟩txt"],
  ])("%s", (command, said) => expect(consequence(command, "/w", [])).toBe(said));

  it("is said in German", async () => {
    await setLanguage("de");
    expect(consequence("rm a.log", "/w", [])).toBe("a.log löschen");
  });

  it("takes words apart only where quotes alone hold them together", () => {
    expect(wordsOf("rm 'a b' \"c d\" e")).toEqual(["rm", "a b", "c d", "e"]);
    for (const odd of ["rm a\\ b", 'rm "$(id)"', "rm a'b'", "rm 'a", "echo `id`"]) {
      expect(wordsOf(odd)).toBeUndefined();
    }
  });
});
