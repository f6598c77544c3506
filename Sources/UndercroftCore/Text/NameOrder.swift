/// A sort of names by their bytes that compares eight bytes at a time.
///
/// The names of a store often begin with the same bytes. A comparison of whole names would read
/// these bytes again, from memory that is seldom in a cache of the processor.
struct NameOrder {
  /// The bytes of all names, one after the other.
  let bytes: UnsafeRawBufferPointer
  /// The beginning of each name, and the end of the last one.
  let starts: UnsafeBufferPointer<Int>

  /// Returns the positions of the names in the order of their bytes.
  ///
  /// Equal names stay in the order of their positions.
  func positions() -> [Int] {
    let positions = 0..<(starts.count - 1)
    guard let first = positions.first else { return [] }
    let shared = positions.reduce(name(first).count) { count, position in
      name(position).sharedCount(with: name(first), upTo: count)
    }
    var elements = positions.map { Element(key: 0, position: $0) }
    elements.withUnsafeMutableBufferPointer { elements in
      // In each group, the names have the same bytes before the offset.
      var groups = [(range: elements.startIndex..<elements.endIndex, offset: shared)]
      while let (range, offset) = groups.popLast() {
        let group = UnsafeMutableBufferPointer(rebasing: elements[range])
        guard sort(group, byBytesAt: offset) else { continue }
        for tied in Self.ties(in: group) {
          let start = range.lowerBound + tied.lowerBound
          groups.append((start..<(start + tied.count), offset + 8))
        }
      }
    }
    return elements.map(\.position)
  }

  /// A name, and the number by which it is sorted.
  private struct Element {
    var key: UInt64
    let position: Int
  }

  private func name(_ position: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[starts[position]..<starts[position + 1]])
  }

  /// Sorts names by the eight bytes from an offset, before which their bytes are the same, and
  /// returns whether names with the same eight bytes may still differ.
  private func sort(
    _ elements: UnsafeMutableBufferPointer<Element>, byBytesAt offset: Int
  ) -> Bool {
    var elements = elements
    let hasBytes = elements.contains { name($0.position).count > offset }
    for index in elements.indices {
      let name = name(elements[index].position)
      // Names without further bytes differ at most in the number of zeros at their ends.
      elements[index].key = hasBytes ? name.bigEndianNumber(at: offset) : UInt64(name.count)
    }
    elements.sort { ($0.key, $0.position) < ($1.key, $1.position) }
    return hasBytes
  }

  /// Returns the ranges of two or more elements with the same number in a sorted list.
  private static func ties(
    in elements: UnsafeMutableBufferPointer<Element>
  ) -> [Range<Int>] {
    var ties: [Range<Int>] = []
    var start = elements.startIndex
    for index in elements.indices.dropFirst() where elements[index].key != elements[start].key {
      if index - start > 1 { ties.append(start..<index) }
      start = index
    }
    if elements.endIndex - start > 1 { ties.append(start..<elements.endIndex) }
    return ties
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the number of bytes at the beginning that both buffers have, at most `limit`.
  fileprivate func sharedCount(with other: UnsafeRawBufferPointer, upTo limit: Int) -> Int {
    let end = Swift.min(limit, count, other.count)
    return (0..<end).first { self[$0] != other[$0] } ?? end
  }

  /// Returns the eight bytes from `offset` as a number that has the order of the bytes, with zeros
  /// after the end.
  fileprivate func bigEndianNumber(at offset: Int) -> UInt64 {
    let remaining = count - offset
    guard remaining < 8 else {
      return UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard remaining > 0 else { return 0 }
    let number = self[offset...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return number << UInt64(8 * (8 - remaining))
  }
}
