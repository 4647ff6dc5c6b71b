// Gives the hooks the names that the robot calls: `preProcess` is exported as `pre-process`. Run by asc, which has no
// way to say so in a source; its command line does: `asc --transform ./sdk/kebab.mjs`.

const HOOKS = { preProcess: "pre-process", postProcess: "post-process", isAlive: "is-alive" };
const USER_ENTRY = 1; // asc's SourceKind: the file that it was called with

export default class Kebab {
  afterParse(parser) {
    for (const source of parser.sources.filter((it) => it.sourceKind == USER_ENTRY)) {
      for (const { name } of source.statements) {
        if (name && Object.hasOwn(HOOKS, name.text)) name.text = HOOKS[name.text];
      }
    }
  }
}
