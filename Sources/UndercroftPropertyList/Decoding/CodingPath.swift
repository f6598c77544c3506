/// A key and the path of the container of the key, as a list from the inside to the outside.
///
/// A node is created for each value that is not a scalar. The array of keys is created only for
/// errors and for types that request it.
final class CodingPath {
  private let parent: CodingPath?
  private let key: any CodingKey

  init(_ parent: CodingPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
  }

  /// The keys from the outermost container on.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var next: CodingPath? = self
    while let node = next {
      keys.append(node.key)
      next = node.parent
    }
    keys.reverse()
    return keys
  }
}

/// The position of an element of an array, as a part of a path.
struct ElementKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }

  init?(stringValue: String) { nil }

  init?(intValue: Int) { index = intValue }

  // The form of Foundation.
  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }
}

/// The key under which a class encodes its superclass.
enum SuperclassKey: String, CodingKey {
  case superclass = "super"
}
