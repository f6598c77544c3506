import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that draws the tables of databases and their references.
struct DiagramCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "er",
    abstract: "Draws the tables of databases and their references.",
    discussion: """
      Without an option, the command writes the description of a diagram for Mermaid. References \
      that the schema does not declare are inferred from names such as author_id, and are drawn \
      with dashed lines. The tables of several databases are drawn together, with the paths, if \
      there are several, and the kinds before their names. Internal tables of Undercroft and of \
      virtual tables are drawn only with --all, or if there are no other tables.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Flag(help: "Also draw the internal tables of Undercroft and of virtual tables.")
  var all = false
  @Flag(help: "Write an SVG document.") var svg = false
  @Flag(help: "Write a description for Graphviz.") var dot = false
  @Flag(help: "Write a description for Mermaid, which is the default.") var mermaid = false
  @Option(
    name: .shortAndLong, help: "The file to create, instead of standard output.",
    completion: .file())
  var output: String?
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try targets.validate()
    if [svg, dot, mermaid].count(where: { $0 }) > 1 {
      throw ValidationError("--svg, --dot and --mermaid exclude each other. Pass one of them.")
    }
    if let output, !svg, output.lowercased().hasSuffix(".svg") {
      throw ValidationError(
        "The file \(quoted(output)) would contain a description for "
          + "\(dot ? "Graphviz" : "Mermaid") instead of an SVG document. "
          + (dot || mermaid ? "Pass --svg instead, or another name." : "Add --svg."))
    }
  }

  func run() throws {
    try Output.run {
      let (found, problems) = try targets.existingStores(of: selectedKinds).gather(databases)
      guard let (store, _) = found.first else { throw Problems(all: problems) }
      let drawn = all ? found : Self.withoutInternalTables(found)
      let diagrams = drawn.map { store, tables in
        EntityDiagram(title: Self.title(of: store), inspected: tables)
      }
      let diagram =
        diagrams.count == 1
        ? diagrams[0]
        : EntityDiagram(title: store.url.deletingLastPathComponent().lastPathComponent, diagrams)
      try ChartFile.write(svg ? diagram.svg : dot ? diagram.dot : diagram.mermaid, to: output)
      return problems
    }
  }

  /// Returns the databases at a path with their tables.
  private func databases(
    at target: FoundTarget
  ) throws -> (results: [(DiscoveredStore, [InspectedTable])], problems: [Problem]) {
    let (found, problems) = try Problem.gather(
      from: DiscoveredStore.withoutSharedFiles(target.stores)
    ) { store -> (DiscoveredStore, [InspectedTable])? in
      let opened = try store.open()
      guard opened.report.isTabular, let tables = try opened.tables(countingRows: false) else {
        return nil
      }
      return (store, tables)
    }
    let databases = found.compactMap(\.self)
    if databases.isEmpty {
      if let problem = problems.first(where: \.isFailure) { throw problem.error }
      throw StorageError(
        .unavailable,
        "cannot draw \(quoted(target.path)): no store at this path is a database with tables",
        suggestion: "run \"undercroft ls\" with this path to list the stores")
    }
    return (databases, problems)
  }

  /// Returns the databases without their internal tables, or all tables if there are no others.
  private static func withoutInternalTables(
    _ databases: [(DiscoveredStore, [InspectedTable])]
  ) -> [(DiscoveredStore, [InspectedTable])] {
    let reduced = databases.map { store, tables in (store, tables.withoutInternalTables) }
    return reduced.contains { !$0.1.isEmpty } ? reduced : databases
  }

  private static func title(of store: DiscoveredStore) -> String {
    guard let target = store.target else { return store.kind ?? store.url.lastPathComponent }
    return [target, store.kind].compactMap(\.self).joined(separator: "/")
  }
}
