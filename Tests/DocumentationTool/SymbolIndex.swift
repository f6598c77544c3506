/// The paths of all public symbols, to find the module of a linked symbol.
package struct SymbolIndex {
  /// The modules that declare a path outside of extensions of other modules.
  private var owners: [String: Set<String>] = [:]
  private var modules: Set<String> = []
  /// The extended module of each path that a module declares in an extension of another module.
  private var extended: [String: [String: String]] = [:]

  package init() {}

  /// Adds the symbols that a module declares, or the symbols in its extensions of another module.
  package mutating func add(_ graph: SymbolGraph, of module: String, extending other: String?) {
    modules.insert(module)
    for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" {
      let path = symbol.pathComponents.joined(separator: "/")
      if let other {
        extended[path, default: [:]][module] = other
      } else {
        owners[path, default: []].insert(module)
      }
    }
  }

  /// Returns a line of a comment in which links to other modules begin with the module.
  package func resolve(_ line: String, at path: [String], in module: String) -> String {
    line.replacing(#/``([^`]+)``/#) { match in
      "``\(link(String(match.1), at: path, in: module) ?? String(match.1))``"
    }
  }

  /// Returns the path of a link that needs a module, or `nil` if DocC resolves it without one.
  private func link(_ link: String, at path: [String], in module: String) -> String? {
    let parts = link.split(separator: "/", maxSplits: 1)
    if let first = parts.first, modules.contains(String(first)) {
      // The module of the symbol is found as for a link without it.
      return parts.count > 1 ? self.link(String(parts[1]), at: path, in: module) : nil
    }
    // A suffix distinguishes overloads: ``insert(_:)-1a2b3``.
    let name = link.replacing(#/-[^\/]*$/#, with: "")
    let suffix = link.dropFirst(name.count)
    for count in (0...path.count).reversed() {
      let candidate = (path.prefix(count) + [name]).joined(separator: "/")
      if owners[candidate]?.contains(module) == true { return nil }
      if let other = extended[candidate]?[module] { return "\(other)/\(candidate)\(suffix)" }
      if let owners = owners[candidate], owners.count == 1, let owner = owners.first {
        return "/\(owner)/\(candidate)\(suffix)"
      }
      if let extensions = extended[candidate], extensions.count == 1, let found = extensions.first {
        return "/\(found.key)/\(found.value)/\(candidate)\(suffix)"
      }
    }
    return nil
  }
}
