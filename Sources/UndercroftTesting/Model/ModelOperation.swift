import UndercroftCore
import UndercroftFoundation

/// A random operation that a ``ModelCheck`` applies to a backend and to a dictionary.
enum ModelOperation {
  case apply([StorageChange])
  case read(String)
  case keys(prefix: String)
  case reopen

  private static let shelves = ["", "a", "a/", "book/", "Book/", "é", "本", "%", "../"]

  static func random(
    using random: inout SeededGenerator, reopening: Bool
  ) -> ModelOperation {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: .apply([change(&random)])
    case 50..<65: .apply((0..<Int.random(in: 0...12, using: &random)).map { _ in change(&random) })
    case 65..<85: .read(name(&random))
    case 85..<98 where reopening: .keys(prefix: shelf(&random))
    case 98... where reopening: .reopen
    default: .keys(prefix: shelf(&random))
    }
  }

  private static func shelf(_ random: inout SeededGenerator) -> String {
    shelves.randomElement(using: &random) ?? ""
  }

  // There are only a few names, so that operations often use the same one.
  private static func name(_ random: inout SeededGenerator) -> String {
    shelf(&random) + String(Int.random(in: 0..<12, using: &random))
  }

  private static func change(_ random: inout SeededGenerator) -> StorageChange {
    let name = name(&random)
    if Int.random(in: 0..<3, using: &random) == 0 { return .remove(name) }
    let isLarge = Int.random(in: 0..<50, using: &random) == 0
    let count = Int.random(in: 0...(isLarge ? 20_000 : 40), using: &random)
    return .set(
      name, Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }))
  }
}

extension ModelOperation: CustomStringConvertible {
  var description: String {
    switch self {
    case .apply(let changes):
      "apply ["
        + changes.map { change in
          switch change {
          case .set(let name, let bytes): "set \(quoted(name)) to \(bytes.count) bytes"
          case .remove(let name): "remove \(quoted(name))"
          }
        }.joined(separator: ", ") + "]"
    case .read(let name): "read \(quoted(name))"
    case .keys(let prefix): "keys with prefix \(quoted(prefix))"
    case .reopen: "reopen"
    }
  }
}
