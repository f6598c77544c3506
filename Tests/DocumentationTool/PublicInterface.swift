import Foundation

/// The public declarations of one module, one per line.
package struct PublicInterface: Equatable {
  package let lines: [String]

  /// Lists the declarations and conformances of the symbol graphs of a module.
  package init(_ graphs: [SymbolGraph]) {
    var lines: Set<String> = []
    for graph in graphs {
      let names = Dictionary(
        graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
        uniquingKeysWith: { first, _ in first })
      let requirements = Set(
        graph.relationships.filter { $0.kind == "requirementOf" }.map(\.source))
      let defaults = Set(
        graph.relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.target))
      for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" {
        let id = symbol.identifier.precise
        let isRequired = requirements.contains(id) && !defaults.contains(id)
        lines.insert(Self.line(symbol, isRequired: isRequired))
      }
      for relationship in graph.relationships where relationship.kind == "conformsTo" {
        let type = names[relationship.source] ?? relationship.source
        let target = names[relationship.target] ?? relationship.targetFallback
        lines.insert(
          "\(type): \(target ?? relationship.target)\(Self.text(relationship.swiftConstraints))")
      }
    }
    self.lines = lines.sorted()
  }

  package init(lines: [String]) { self.lines = lines }

  /// Returns the changes since a baseline that can break the compilation of an application.
  ///
  /// A new declaration is no such change, except a requirement without a default implementation and
  /// a case of an enum.
  package func breakingChanges(since baseline: PublicInterface) -> [String] {
    let (new, old) = (Set(lines), Set(baseline.lines))
    let added = new.subtracting(old).filter { $0.hasPrefix("requires ") || $0.contains(": case ") }
    return baseline.lines.filter { !new.contains($0) }.map { "- \($0)" }
      + added.sorted().map { "+ \($0)" }
  }

  private static func line(_ symbol: SymbolGraph.Symbol, isRequired: Bool) -> String {
    let path = symbol.pathComponents.joined(separator: ".")
    let fragments = symbol.declarationFragments ?? []
    let declaration = fragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    let kind = isRequired ? "requires " : ""
    return "\(kind)\(path): \(declaration)\(text(symbol.swiftExtension?.constraints))"
  }

  private static func text(_ constraints: [SymbolGraph.Constraint]?) -> String {
    guard let constraints, !constraints.isEmpty else { return "" }
    let texts = constraints.map { constraint in
      "\(constraint.lhs) \(constraint.kind) \(constraint.rhs)"
    }
    return " [where \(texts.sorted().joined(separator: ", "))]"
  }
}
