/// A walk that measures the nesting of a binary property list without decoding its values.
///
/// The walk visits each container once, even if many references lead to it.
struct BinaryNesting {
  /// The maximum number of objects that decoding is allowed to visit for each object in the file,
  /// apart from the references of the file.
  ///
  /// An object is decoded again for every reference to it.
  private static let maximumRepetitions = 64

  /// The number of levels in a container, and the number of objects that decoding visits.
  private struct Extent {
    var levels = 1
    var objects = 1

    mutating func add(_ child: Extent) {
      levels = max(levels, child.levels + 1)
      addObjects(child.objects)
    }

    mutating func addObjects(_ count: Int) {
      let (sum, isTooMuch) = objects.addingReportingOverflow(count)
      objects = isTooMuch ? .max : sum
    }
  }

  /// A container on the path from the root, with the levels and objects counted so far.
  private struct Frame {
    let number: Int
    let references: ElementRange
    var position = 0
    var extent = Extent()
  }

  /// The state of an object in `states`; a larger number is a position in `extents`.
  private static let (unvisited, open) = (UInt32.max, UInt32.max - 1)

  private let list: BinaryPropertyList
  private let maximumObjects: Int
  private var states: [UInt32]
  private var extents: [Extent] = []
  private var path: [Frame] = []
  /// The number of references in the containers that have been visited.
  private var referenceCount = 0

  /// Returns the number of containers on the longest path from the root, or 0 if the root is none.
  static func depth(of list: BinaryPropertyList) throws(PropertyListError) -> Int {
    guard let references = list.references(at: list.trailer.rootNumber) else { return 0 }
    var walk = BinaryNesting(list)
    try walk.begin(list.trailer.rootNumber, references)
    return try walk.depth()
  }

  private init(_ list: BinaryPropertyList) {
    self.list = list
    let count = list.trailer.objectCount
    // A list has fewer references than bytes, so that visiting each of them is always allowed.
    maximumObjects = Self.maximumRepetitions * (count + 1_024) + list.bytes.count
    states = [UInt32](repeating: Self.unvisited, count: count)
  }

  private mutating func begin(
    _ number: Int, _ references: ElementRange
  ) throws(PropertyListError) {
    // Otherwise a file of a few megabytes could contain millions of arrays of millions of elements.
    referenceCount += references.count
    guard referenceCount <= list.bytes.count else {
      throw .byte(
        references.start, "the arrays and dictionaries of the property list overlap each other")
    }
    states[number] = Self.open
    path.append(Frame(number: number, references: references))
  }

  private mutating func depth() throws(PropertyListError) -> Int {
    while let last = path.indices.last {
      guard path[last].position < path[last].references.count else {
        if let extent = try end() { return extent.levels }
        continue
      }
      let position = path[last].position
      path[last].position += 1
      guard let child = try? list.element(position, of: path[last].references),
        let references = list.references(at: child)
      else {
        path[last].extent.addObjects(1)
        continue
      }
      switch states[child] {
      case Self.unvisited: try begin(child, references)
      case Self.open:
        throw .byte(
          path[last].references.start + position * list.trailer.referenceWidth,
          "an array or dictionary of the property list contains itself")
      case let index: path[last].extent.add(extents[Int(index)])
      }
    }
    return 0
  }

  /// Ends the innermost container, and returns its extent if it is the root.
  private mutating func end() throws(PropertyListError) -> Extent? {
    guard let frame = path.popLast() else { return nil }
    guard frame.extent.objects <= maximumObjects else {
      throw .byte(
        frame.references.start,
        "the property list refers to objects so often that decoding would need too much memory")
    }
    states[frame.number] = UInt32(clamping: extents.count)
    extents.append(frame.extent)
    guard let parent = path.indices.last else { return frame.extent }
    path[parent].extent.add(frame.extent)
    return nil
  }
}

extension BinaryPropertyList {
  /// Returns the references of an array, a set or a dictionary, with those of keys, or `nil` for
  /// another object and for a damaged one.
  fileprivate func references(at number: Int) -> ElementRange? {
    guard let marker = marker(of: number), marker >= 0xa0, marker < 0xe0,
      let header = try? header(of: PropertyListReference(number: number))
    else { return nil }
    let isDictionary = header.type == 13
    return ElementRange(
      start: header.body, count: isDictionary ? header.count * 2 : header.count)
  }
}
