/// A buffer of the first elements of a sequence, which are passed on only after the file was found
/// unchanged, so that reading a small table can be repeated.
///
/// The maximum size limits the memory, the bytes that are read again, and the time until the first
/// element is passed on. An element that stands for skipped rows therefore has their size.
struct StartBuffer<Element> {
  private static var maximumCount: Int { 2_000 }
  private static var maximumByteCount: Int { 4 << 20 }

  private let size: (Element) -> Int
  private var elements: [Element] = []
  private var byteCount = 0
  /// Whether elements were passed on.
  private(set) var hasBegun = false
  private var needsMore = true

  /// Creates an empty buffer.
  ///
  /// - Parameter size: a closure that returns the size of an element in bytes.
  init(size: @escaping (Element) -> Int) { self.size = size }

  /// Adds an element, and returns whether more elements are needed.
  ///
  /// If the buffer is full, its elements are passed on.
  mutating func add(
    _ element: Element, _ begin: () throws -> Void, _ body: (Element) throws -> Bool
  ) throws -> Bool {
    guard !hasBegun else { return try body(element) }
    elements.append(element)
    byteCount += size(element)
    let isFull = elements.count >= Self.maximumCount || byteCount >= Self.maximumByteCount
    return isFull ? try pass(begin, body) : true
  }

  /// Passes on the elements that are in the buffer at the end of the sequence.
  mutating func end(_ begin: () throws -> Void, _ body: (Element) throws -> Bool) throws {
    if !hasBegun { _ = try pass(begin, body) }
  }

  /// Passes on the elements that are in the buffer at an error, if there are any, and returns
  /// whether more elements are needed.
  mutating func endEarly(
    _ begin: () throws -> Void, _ body: (Element) throws -> Bool
  ) throws -> Bool {
    hasBegun || elements.isEmpty ? true : try pass(begin, body)
  }

  private mutating func pass(
    _ begin: () throws -> Void, _ body: (Element) throws -> Bool
  ) throws -> Bool {
    hasBegun = true
    try begin()
    for element in elements where needsMore { needsMore = try body(element) }
    elements = []
    return needsMore
  }
}
