// Called on the global object of our world: what `file.name` does with `argument`.
function (file, name, argument) {
  return this.tabwire[file][name](argument);
}
