/// The dependencies between packages, which are identified by name.
///
/// The graph is derived from the rows of the catalogue, and stored as one value.
public struct DependencyGraph: Codable, Sendable, Equatable {
  /// The names of the direct dependencies of each package.
  public let needs: [String: [String]]

  init(_ needs: [String: [String]]) { self.needs = needs }

  /// The number of direct dependencies in the graph.
  public var dependencyCount: Int { needs.reduce(0) { $0 + $1.value.count } }

  /// Returns the names of all direct and indirect dependencies of `name`.
  public func closure(of name: String) -> Set<String> {
    var found: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      for needed in needs[next] ?? [] where found.insert(needed).inserted { open.append(needed) }
    }
    return found
  }

  // The graph is encoded as one string with many lines: an encoder would need far more memory for a
  // hundred thousand small values.

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let lines = needs.sorted { $0.key < $1.key }.map {
      ([$0.key] + $0.value).joined(separator: " ")
    }
    try container.encode(lines.joined(separator: "\n"))
  }

  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    var needs: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      let names = line.split(separator: " ").map(String.init)
      if let first = names.first { needs[first] = Array(names.dropFirst()) }
    }
    self.needs = needs
  }
}
