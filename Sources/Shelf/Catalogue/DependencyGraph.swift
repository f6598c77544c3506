/// Who needs whom, by name: made from the rows, kept whole.
public struct DependencyGraph: Codable, Sendable, Equatable {
  /// The names that each name needs.
  public let needs: [String: [String]]

  init(_ needs: [String: [String]]) { self.needs = needs }

  /// The number of arrows.
  public var arrowCount: Int { needs.reduce(0) { $0 + $1.value.count } }

  /// Returns all that `name` needs, directly or not.
  public func closure(of name: String) -> Set<String> {
    var found: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      for needed in needs[next] ?? [] where found.insert(needed).inserted { open.append(needed) }
    }
    return found
  }

  // One text of many lines: a hundred thousand small values would take an encoder far more memory.

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
