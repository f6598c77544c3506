extension Array {
  /// Returns the elements sorted by the UTF-8 bytes of their names.
  ///
  /// A million strings are sorted in a fifth of the time that a comparison of the strings
  /// themselves takes, because each of 20 million comparisons would retain and release two strings.
  ///
  /// - Parameter name: a closure that returns the name of an element.
  package func sorted(byBytesOf name: (Element) -> String) -> [Element] {
    var names = NameBytes(capacity: count)
    for element in self { names.append(name(element)) }
    return names.order().map { self[$0] }
  }
}

/// The bytes of many names, one after the other.
package struct NameBytes {
  private var bytes: [UInt8] = []
  /// The beginning of each name, and the end of the last one.
  private var starts = [0]

  /// Creates an empty list of names with space for `capacity` of them.
  package init(capacity: Int = 0) { starts.reserveCapacity(capacity + 1) }

  /// Adds a name, whose position is the number of names before it.
  package mutating func append(_ name: String) {
    bytes.append(contentsOf: name.utf8)
    starts.append(bytes.count)
  }

  /// Returns the name at a position.
  package func name(at position: Int) -> String {
    String(decoding: bytes[starts[position]..<starts[position + 1]], as: UTF8.self)
  }

  /// Returns the positions of the names in the order of their bytes.
  package func order() -> [Int] {
    bytes.withUnsafeBytes { bytes in
      starts.withUnsafeBufferPointer { starts in
        NameOrder(bytes: bytes, starts: starts).positions()
      }
    }
  }
}
