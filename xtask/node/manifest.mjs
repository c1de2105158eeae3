// The members of package.json about where the package comes from: one setting, `repository` of Cargo.toml.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A member of Cargo.toml's `[package]`; undefined where it is not set. */
export function crate(root, member) {
  const toml = readFileSync(join(root, "Cargo.toml"), "utf8");
  return new RegExp(`^\\[package\\][^[]*?^${member} = "([^"]+)"`, "ms").exec(toml)?.[1];
}

/** The members of package.json that lead to the repository, which is at GitHub or has pages of the same names. */
export function addresses(repository) {
  if (repository === undefined) return {};
  if (!/^https:\/\/[^/]+(\/[^/]+){2,}(?<!\.git)$/.test(repository)) throw new Error(`repository in Cargo.toml is not https://HOST/OWNER/NAME: ${repository}`);
  return {
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: "git", url: `git+${repository}.git` },
  };
}

/** Where the files of a version can be read; null where there is no repository. */
export const filesOf = (repository, version) => (repository === undefined ? null : `${repository}/blob/v${version}`);
