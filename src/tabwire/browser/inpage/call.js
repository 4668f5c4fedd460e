// Called on the global object of our world: what `file.name` does with `argument`. A file in a
// folder has its functions in an object of the folder's.
function (file, name, argument) {
  return file.split("/").reduce((object, part) => object[part], this.tabwire)[name](argument);
}
