/// A parser that measures the nesting of a binary property list without decoding the list.
///
/// The format consists of objects that refer to each other by index,
/// a table of their offsets, and a trailer that locates the table.
struct BinaryPropertyListShape {
  /// The maximum number of nested levels that a property list may have.
  ///
  /// Lists that ``PropertyListCodec`` writes have fewer levels.
  /// Decoding this many levels fits on the stack of a ``DeepStack``.
  private static let maximumLevels = 8_192
  /// The maximum number of objects that decoding is allowed to visit for each object in the file.
  ///
  /// Foundation decodes an object again for every reference to it.
  private static let maximumRepetitions = 64

  private let bytes: UnsafeRawBufferPointer
  /// The offset of the trailer, the last 32 bytes of the file.
  ///
  /// Bytes 6 and 7 of the trailer are the sizes of offsets and references. The number of objects,
  /// the index of the top object and the offset of the offset table follow, in 8 bytes each.
  private let trailer: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int

  /// Returns the number of levels of arrays and dictionaries, or 0 if the trailer is damaged.
  ///
  /// The result is a failure if an object declares a size larger than the file,
  /// if an object contains itself, or if there are too many levels or objects.
  /// A damaged trailer is not a failure here, because Foundation itself rejects such a list.
  static func depth(of bytes: UnsafeRawBufferPointer) -> Result<Int, PropertyListDefect> {
    // Foundation rejects a list with a damaged trailer itself.
    guard let shape = BinaryPropertyListShape(bytes) else { return .success(0) }
    for object in 0..<shape.count {
      guard let body = shape.body(of: object) else { continue }
      guard body.count <= shape.trailer else { return .failure(.objectTooLarge) }
    }
    return Result { () throws(PropertyListDefect) in try shape.depth() }
  }

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 40 else { return nil }
    self.bytes = bytes
    trailer = bytes.count - 32
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard let count = Self.number(bytes, trailer + 8, 8),
      let table = Self.number(bytes, trailer + 24, 8), offsetSize > 0, table < trailer,
      count <= (trailer - table) / offsetSize
    else { return nil }
    self.count = count
    self.table = table
  }

  private struct Body {
    var isCollection = false
    /// The length of the object's content in bytes, or 0 if objects of this type store no count.
    ///
    /// If the stored count is invalid, the length is `Int.max`.
    var count = 0
    var start = 0
    var references = 0
  }

  private func body(of object: Int) -> Body? {
    guard let offset = number(table + object * offsetSize, offsetSize), offset < trailer else {
      return nil
    }
    var body = Body(start: offset + 1)
    let unit: Int
    switch bytes[offset] >> 4 {
    case 4, 5: unit = 1
    case 6: unit = 2
    case 10, 11, 12: (unit, body.isCollection) = (referenceSize, true)
    case 13: (unit, body.isCollection) = (2 * referenceSize, true)
    default: return body
    }
    var size: Int? = Int(bytes[offset] & 15)
    if size == 15, unit > 0, offset + 1 < trailer {
      let width = 1 << Int(bytes[offset + 1] & 15)
      size = number(offset + 2, width)
      body.start = offset + 2 + width
    }
    guard let size, unit == 0 || size <= trailer / unit else {
      body.count = .max
      return body
    }
    body.count = size * unit
    body.references = referenceSize > 0 && body.isCollection ? size * unit / referenceSize : 0
    return body
  }

  /// The number of levels in a collection, and the number
  /// of objects that decoding the collection visits.
  private struct Extent {
    var levels = 1
    var objects = 1

    mutating func add(_ child: Extent) {
      levels = max(levels, child.levels + 1)
      add(child.objects)
    }

    mutating func add(_ more: Int) {
      let (sum, isTooMuch) = objects.addingReportingOverflow(more)
      objects = isTooMuch ? .max : sum
    }
  }

  /// A collection on the path from the top object, with the levels and objects counted so far.
  private struct Step {
    let object: Int
    let body: Body
    var next = 0
    var extent = Extent()
  }

  /// Returns the number of collections on the longest path from
  /// the top object, or 0 if the top object is not a collection.
  ///
  /// - Throws: a ``PropertyListDefect`` if a path is too long or contains
  ///   a cycle, or if all paths together visit too many objects.
  private func depth() throws(PropertyListDefect) -> Int {
    guard let top = number(trailer + 16, 8), top < count, let body = body(of: top),
      body.isCollection
    else { return 0 }
    let maximumObjects = Self.maximumRepetitions * (count + 1_024)
    /// The extent of each measured collection, or `nil` for a collection that is being measured.
    var extents: [Int: Extent?] = [top: nil]
    var path = [Step(object: top, body: body)]
    while var step = path.popLast() {
      guard step.next < step.body.references else {
        if step.extent.objects > maximumObjects { throw .tooManyObjects }
        if step.extent.levels > Self.maximumLevels { throw .tooDeep }
        guard let parent = path.indices.last else { return step.extent.levels }
        extents[step.object] = step.extent
        path[parent].extent.add(step.extent)
        continue
      }
      let offset = step.body.start + step.next * referenceSize
      step.next += 1
      guard let child = number(offset, referenceSize), child < count,
        let body = self.body(of: child), body.isCollection
      else {
        step.extent.add(1)
        path.append(step)
        continue
      }
      switch extents[child] {
      case .some(nil): throw .endless
      case .some(let known?):
        step.extent.add(known)
        path.append(step)
      case nil:
        extents[child] = .some(nil)
        path.append(step)
        path.append(Step(object: child, body: body))
      }
      if path.count > Self.maximumLevels { throw .tooDeep }
    }
    return 0
  }

  private func number(_ offset: Int, _ size: Int) -> Int? { Self.number(bytes, offset, size) }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, size > 0, size <= 8, offset <= bytes.count - size else { return nil }
    return Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
