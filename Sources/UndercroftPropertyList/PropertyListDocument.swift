public import UndercroftFoundation

/// A property list of an untrusted file, read without creating objects of Foundation.
///
/// A binary property list is decoded lazily: opening verifies the trailer, and each object is
/// decoded when it is requested. An XML property list is parsed when it is opened, but numbers,
/// dates, data and strings are decoded when they are requested. No operation recurses.
public struct PropertyListDocument: Sendable {
  /// An encoding of property lists.
  public enum Format: Sendable, Hashable {
    /// The binary format, version 0 (`bplist00`).
    case binary
    /// The XML format in UTF-8 or UTF-16.
    case xml
  }

  enum Content: Sendable {
    case binary(BinaryPropertyList)
    case xml(XMLPropertyList)
  }

  let content: Content

  /// The reference to the outermost object.
  public let root: PropertyListReference

  /// Opens a property list.
  ///
  /// The complexity is constant for the binary format, and linear for XML.
  ///
  /// - Parameter bytes: the bytes of the whole file.
  /// - Throws: `PropertyListError` if the bytes are neither a binary property list with a
  ///   plausible trailer nor a well-formed XML property list. Definitions of entities are refused.
  public init(_ bytes: Data) throws(PropertyListError) {
    if BinaryTrailer.hasMagic(bytes) {
      let list = try BinaryPropertyList(bytes)
      root = list.root
      content = .binary(list)
    } else {
      let list = try XMLPropertyList(bytes)
      root = list.root
      content = .xml(list)
    }
  }

  /// Returns whether the first bytes of a file are those of a property list.
  ///
  /// - Parameter start: the first bytes, of which 512 are usually sufficient.
  public static func isPropertyList(_ start: Data) -> Bool {
    BinaryTrailer.hasMagic(start) || XMLDeclaration.beginsPropertyList(start)
  }

  /// Returns whether bytes are a property list in the binary or the XML format, also a damaged one.
  ///
  /// Other bytes may be an old-style property list, which this type does not read.
  ///
  /// - Parameter bytes: the bytes of the whole file.
  package static func isDocument(_ bytes: Data) -> Bool {
    BinaryTrailer.hasMagic(bytes) || XMLDeclaration.beginsElement(bytes)
  }

  /// The format of the document.
  public var format: Format {
    switch content {
    case .binary: .binary
    case .xml: .xml
    }
  }

  /// The number of objects; the numbers of references are less than this number.
  public var objectCount: Int {
    switch content {
    case .binary(let list): list.trailer.objectCount
    case .xml(let list): list.objectCount
    }
  }

  /// Returns the value of an object.
  ///
  /// The complexity is linear in the size of a string or of data in XML, and constant otherwise.
  ///
  /// - Parameter reference: a reference from this document.
  /// - Throws: `PropertyListError` if the object does not exist or is damaged.
  public func value(
    at reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListValue {
    switch content {
    case .binary(let list): try list.value(at: reference)
    case .xml(let list): try list.value(at: reference)
    }
  }

  /// Returns the place of an object in the file.
  ///
  /// - Parameter reference: a reference from this document.
  /// - Throws: `PropertyListError` if the object does not exist.
  public func location(
    of reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListError.Location {
    switch content {
    case .binary(let list): .byte(try list.offset(of: reference))
    case .xml(let list): try list.location(of: reference)
    }
  }

  /// Returns whether an object is a string with exactly the bytes of `text` in UTF-8.
  ///
  /// A string of another length is not decoded. A damaged object equals no string.
  func isString(_ reference: PropertyListReference, equalTo text: String) -> Bool {
    switch content {
    case .binary(let list): list.isString(reference, equalTo: text)
    case .xml(let list): list.isString(reference, equalTo: text)
    }
  }

  /// Returns a value, or `nil` if the object is a long string.
  ///
  /// - Parameters:
  ///   - reference: a reference from this document.
  ///   - length: the maximum length of a string in code units; a longer string is not decoded.
  func value(
    at reference: PropertyListReference, maximumLength length: Int
  ) throws(PropertyListError) -> PropertyListValue? {
    let isLong =
      switch content {
      case .binary(let list): list.isString(reference, longerThan: length)
      case .xml(let list): list.isString(reference, longerThan: length)
      }
    return isLong ? nil : try value(at: reference)
  }

  /// Returns the number of bytes in the file that decoding a value reads, if this number is large.
  ///
  /// The number is that of a string or of data in XML, also of a damaged one, and otherwise 0.
  func decodedSize(of reference: PropertyListReference) -> Int {
    switch content {
    case .binary(let list): list.decodedSize(of: reference)
    case .xml(let list): list.decodedSize(of: reference)
    }
  }

  /// Returns a string, or `nil` if the object is damaged, longer than `length` or no string.
  func shortString(at reference: PropertyListReference, maximumLength length: Int) -> String? {
    guard case .string(let text) = try? value(at: reference, maximumLength: length) else {
      return nil
    }
    return text
  }
}
