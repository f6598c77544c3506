import UndercroftFoundation

/// The property list of one call of `decode`, with everything that its containers share.
///
/// A value is identified by the number of its object. ``missing`` is the number of a value that
/// does not exist and is decoded as null.
final class DecodedList {
  static let missing = -1
  /// The length from which on a string or data is decoded only once, in bytes.
  ///
  /// Many references to one long string would otherwise decode it many times. The error of a
  /// damaged string is stored as well, because a type may request the string again.
  private static let longSize = 256

  let content: PropertyListDocument.Content
  private var strings: [Int: Result<String, PropertyListError>] = [:]
  private var data: [Int: Data] = [:]
  /// The sum of the sizes of all elements of `strings` and `data`.
  private var longSizes = 0
  private var recentKeys = RecentKeys()

  init(_ content: PropertyListDocument.Content) { self.content = content }

  func value(at number: Int) throws(PropertyListError) -> StoredValue {
    if number == Self.missing { return .null }
    switch content {
    case .binary(let list): return try list.storedValue(at: number)
    case .xml(let list): return try list.storedValue(at: number)
    }
  }

  /// Returns the number of an element of a container, after verifying that the element exists.
  func element(_ index: Int, of range: ElementRange) throws(PropertyListError) -> Int {
    switch content {
    case .binary(let list): try list.element(index, of: range)
    case .xml(let list): list.child(at: range.start + index)
    }
  }

  /// Returns the text of a string.
  func string(at number: Int) throws(PropertyListError) -> String {
    switch content {
    case .xml(let list): return try list.string(at: number)
    case .binary(let list):
      let size = try list.size(at: number)
      guard size >= Self.longSize else { return try list.string(at: number) }
      if let string = strings[number] { return try string.get() }
      try addLong(size, at: number, in: list)
      let string: Result<String, PropertyListError>
      do { string = .success(try list.string(at: number)) } catch { string = .failure(error) }
      strings[number] = string
      return try string.get()
    }
  }

  /// Returns the bytes of data, which begin at the index 0 and do not refer to the file.
  func data(at number: Int) throws(PropertyListError) -> Data {
    switch content {
    case .xml(let list): return try list.data(at: number)
    case .binary(let list):
      let size = try list.size(at: number)
      guard size >= Self.longSize else { return try list.data(at: number) }
      if let data = data[number] { return data }
      try addLong(size, at: number, in: list)
      let data = try list.data(at: number)
      self.data[number] = data
      return data
    }
  }

  /// Counts the size of a string or of data that has not been decoded before.
  ///
  /// - Throws: `PropertyListError` if all of them are larger than the file. Many numbers of objects
  ///   could otherwise lead to one text, which would be decoded for each of them.
  private func addLong(
    _ size: Int, at number: Int, in list: BinaryPropertyList
  ) throws(PropertyListError) {
    let offset = try list.offset(of: PropertyListReference(number: number))
    guard size <= list.bytes.count - longSizes else {
      throw .byte(offset, "the strings and data of the property list overlap each other")
    }
    longSizes += size
  }

  /// Returns a real number of XML as `Float`, or `nil` for another value.
  ///
  /// The text is rounded once, and not first to `Double`.
  func float(at number: Int) throws(PropertyListError) -> Float? {
    switch content {
    case .binary: nil
    case .xml(let list): try list.float(at: number)
    }
  }

  /// Returns the keys of a dictionary, after verifying that all of them are strings.
  func keys(of range: ElementRange) throws(PropertyListError) -> KeyTable {
    try recentKeys.table(of: range, in: self)
  }
}
