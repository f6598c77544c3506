import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that draws the tables of a database and their references.
struct DiagramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "er",
    abstract: "Draws the tables of a database and their references.",
    discussion: """
      Without an option, the command writes the description of a diagram for Mermaid. References that the schema does not declare are \
      inferred from names such as author_id, and are drawn with dashed lines.
      """)

  @OptionGroup var target: Target
  @Option(help: "The kind of the store, if several have tables.", completion: .kinds)
  var kind: String?
  @Flag(help: "Write an SVG document.") var svg = false
  @Flag(help: "Write a description for Graphviz.") var dot = false
  @Flag(help: "Write a description for Mermaid, which is the default.") var mermaid = false
  @Option(help: "The file to create, instead of standard output.", completion: .file())
  var output: String = "-"

  func validate() throws {
    if [svg, dot, mermaid].count(where: { $0 }) > 1 {
      throw ValidationError("--svg, --dot and --mermaid exclude each other. Pass one of them.")
    }
  }

  func run() throws {
    try Output.run {
      let (stores, problems) = try Problem.gather(
        from: try target.existingStores(of: kind)
      ) { store -> (DiscoveredStore, [InspectedTable])? in
        let opened = try store.open()
        guard opened.report.isTabular, let tables = try opened.tables() else { return nil }
        return (store, tables)
      }
      let databases = stores.compactMap(\.self)
      guard let (store, tables) = databases.first else {
        if let problem = problems.first(where: \.isFailure) { throw problem.error }
        throw StorageError(
          .unavailable,
          "cannot draw \(quoted(target.path)): no store at this path is a database with tables",
          suggestion: "run \"undercroft ls\" with this path to list the stores")
      }
      guard databases.count == 1 else {
        let kinds = databases.map { $0.0.kind ?? $0.0.scheme }.joined(separator: ", ")
        throw StorageError(
          .unavailable,
          "cannot draw \(quoted(target.path)): each of the kinds \(kinds) is a database",
          suggestion: "select one of these kinds with --kind")
      }
      let diagram = EntityDiagram(
        title: store.kind ?? store.url.lastPathComponent, inspected: tables)
      try ChartFile.write(svg ? diagram.svg : dot ? diagram.dot : diagram.mermaid, to: output)
      return []
    }
  }
}
