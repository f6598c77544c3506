import Foundation
import UndercroftPropertyList

/// The events of a walk as text, one line for each event.
enum Transcript {
  static func lines(_ tree: PropertyListTree) -> [String] {
    tree.map { String(repeating: "  ", count: $0.depth) + line($0.kind) }
  }

  static func text(_ tree: PropertyListTree) -> String { lines(tree).joined(separator: "\n") }

  private static func line(_ kind: PropertyListEvent.Kind) -> String {
    switch kind {
    case .begin(let container):
      let name = container.archivedClass.map { " \($0.name)" } ?? ""
      return "\(container.kind)\(name) \(container.count)"
    case .key(let key): return "\(key):"
    case .scalar(let value, let archivedClass):
      return "\(value)" + (archivedClass.map { " (\($0.name))" } ?? "")
    case .repeated(let number, let isCycle):
      return "object \(number.map(String.init) ?? "?")" + (isCycle ? " again, a cycle" : " again")
    case .unreadable(let error): return "unreadable: \(error.reason)"
    case .truncated(let limit): return "truncated: \(limit)"
    case .end: return "end"
    }
  }

  /// Returns the number of all events, which every file must produce without a trap.
  static func eventCount(_ bytes: Data, limits: PropertyListLimits) -> Int {
    guard let document = try? PropertyListDocument(bytes) else { return 0 }
    var count = 0
    var iterator = PropertyListTree(document, limits: limits).makeIterator()
    while iterator.next() != nil { count += 1 }
    guard let archive = try? KeyedArchive(document) else { return count }
    var archived = PropertyListTree(archive, limits: limits).makeIterator()
    while archived.next() != nil {
      count += 1
      // A path costs as much as the events of all containers around a value.
      if count % 16 == 0 { _ = archived.path }
    }
    return count
  }
}
