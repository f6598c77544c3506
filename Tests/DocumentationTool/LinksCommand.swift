import ArgumentParser
import Foundation

/// A command that adds the module to links in documentation comments that lead to symbols of other
/// modules.
struct LinksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "links", abstract: "Add the module to links that lead to other modules.",
    discussion: "DocC resolves a link to another module only if the link begins with its name.")

  @Option(help: "The folder with a folder of symbol graphs for each module, which are changed.")
  var graphs: String

  func run() throws {
    let folder = URL(filePath: graphs)
    let files = FileManager.default
    var index = SymbolIndex()
    var found: [(url: URL, module: String)] = []
    for module in try files.contentsOfDirectory(atPath: graphs).sorted() {
      let names = try files.contentsOfDirectory(atPath: folder.appending(path: module).path)
      for name in names.sorted() where name.hasSuffix(".symbols.json") {
        let url = folder.appending(path: module).appending(path: name)
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: url))
        // The name of the graph of an extension is "Module@Extended.symbols.json".
        let extended = name.dropLast(".symbols.json".count).split(separator: "@").dropFirst().first
        index.add(graph, of: module, extending: extended.map(String.init))
        found.append((url, module))
      }
    }
    for (url, module) in found { try rewrite(url, module, index) }
  }

  private func rewrite(_ url: URL, _ module: String, _ index: SymbolIndex) throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    guard var graph = json as? [String: Any], let old = graph["symbols"] as? [[String: Any]] else {
      return
    }
    graph["symbols"] = old.map { symbol in
      guard var comment = symbol["docComment"] as? [String: Any],
        let lines = comment["lines"] as? [[String: Any]],
        let path = symbol["pathComponents"] as? [String]
      else { return symbol }
      comment["lines"] = lines.map { line in
        var line = line
        if let text = line["text"] as? String {
          line["text"] = index.resolve(text, at: path, in: module)
        }
        return line
      }
      var symbol = symbol
      symbol["docComment"] = comment
      return symbol
    }
    try JSONSerialization.data(withJSONObject: graph).write(to: url)
  }
}
