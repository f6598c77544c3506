/// A collection of the references of one container, decoded from the file at each access.
///
/// The collection allocates no memory for its elements. Creating a collection of a million
/// references therefore costs as much as creating an empty one.
public struct PropertyListReferences: RandomAccessCollection, Sendable {
  private enum Storage: Sendable {
    case binary(BinaryPropertyList)
    case xml(XMLPropertyList)
  }

  private let storage: Storage
  /// The byte offset of the first reference, or its position in the table of an XML document.
  private let start: Int
  /// The position of an element that the collection omits, or `Int.max`.
  private let omitted: Int
  /// The number of references.
  public let count: Int

  /// Creates a collection of references at a byte offset.
  ///
  /// The caller has verified that `count` references begin at `offset`.
  init(_ list: BinaryPropertyList, offset: Int, count: Int) {
    storage = .binary(list)
    start = offset
    omitted = .max
    self.count = count
  }

  /// Creates a collection of a part of the elements of all containers, which the caller has
  /// verified to exist.
  init(_ list: XMLPropertyList, _ range: Range<Int>) {
    storage = .xml(list)
    start = range.lowerBound
    omitted = .max
    count = range.count
  }

  private init(_ references: PropertyListReferences, omitting position: Int) {
    storage = references.storage
    start = references.start
    omitted = position
    count = references.count - 1
  }

  /// Returns the collection without the element at a position.
  ///
  /// Only one element can be omitted.
  func omitting(_ position: Int) -> PropertyListReferences {
    PropertyListReferences(self, omitting: position)
  }

  /// The position of the first reference.
  public var startIndex: Int { 0 }
  /// The position after the last reference.
  public var endIndex: Int { count }

  public subscript(position: Int) -> PropertyListReference {
    // A reference beyond the last object is an error when it is used.
    guard position >= 0, position < count else { return PropertyListReference(number: .max) }
    let index = position < omitted ? position : position + 1
    switch storage {
    case .xml(let list): return PropertyListReference(number: list.child(at: start + index))
    case .binary(let list):
      let width = list.trailer.referenceWidth
      let offset = start + index * width
      // A number above `Int.max` is out of range in any file, so the error is the same.
      let number = Int(clamping: list.bytes.integer(at: offset, width: width) ?? .max)
      return PropertyListReference(number: number, origin: offset)
    }
  }
}
