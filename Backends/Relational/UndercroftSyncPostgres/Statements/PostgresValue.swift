#if SyncPostgres
  import UndercroftFoundation

  /// A parameter of a statement, which is sent in the binary form of its type.
  enum PostgresValue: Sendable {
    case null
    case int8(Int64)
    case int2(Int16)
    case text(String)
    case bytes(Data)
    case uuid([UInt8])
    case int8Array([Int64?])
    case int2Array([Int16])
    case textArray([String?])
    case bytesArray([Data])
  }

  /// The binary forms of the parameters of a statement, one after the other.
  struct PostgresParameters: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The position of each parameter in ``bytes``, or `nil` for NULL.
    private(set) var ranges: [Range<Int>?] = []

    init(_ values: [PostgresValue]) throws(PostgresFailure) {
      for value in values {
        let start = bytes.count
        guard try append(value) else {
          ranges.append(nil)
          continue
        }
        ranges.append(start..<bytes.count)
        // An empty parameter needs an address, because the null pointer means NULL.
        if start == bytes.count { bytes.append(0) }
      }
    }

    private mutating func append(_ value: PostgresValue) throws(PostgresFailure) -> Bool {
      switch value {
      case .null: return false
      case .int8(let number): append(number)
      case .int2(let number): append(number)
      case .text(let text): try append(text)
      case .bytes(let data): bytes.append(contentsOf: data)
      case .uuid(let uuid): bytes.append(contentsOf: uuid)
      case .int8Array(let numbers):
        appendHeader(numbers.count, .int8, hasNull: numbers.contains(nil))
        for number in numbers { try appendElement(number) { $0.append($1) } }
      case .int2Array(let numbers):
        appendHeader(numbers.count, .int2, hasNull: false)
        for number in numbers { try appendElement(number) { $0.append($1) } }
      case .textArray(let texts):
        appendHeader(texts.count, .text, hasNull: texts.contains(nil))
        for text in texts {
          try appendElement(text) { (buffer, text) throws(PostgresFailure) in
            try buffer.append(text)
          }
        }
      case .bytesArray(let list):
        appendHeader(list.count, .bytea, hasNull: false)
        for data in list { try appendElement(data) { $0.bytes.append(contentsOf: $1) } }
      }
      return true
    }

    /// Appends the header of an array: its dimensions, whether it contains NULL, its element type,
    /// its length and its first index. (`array_send`)
    private mutating func appendHeader(_ count: Int, _ type: PostgresType, hasNull: Bool) {
      append(Int32(count == 0 ? 0 : 1))
      append(Int32(hasNull ? 1 : 0))
      append(type.rawValue)
      guard count > 0 else { return }
      append(Int32(clamping: count))
      append(Int32(1))
    }

    /// Appends the length of an element and the element, or -1 for NULL.
    private mutating func appendElement<Value>(
      _ value: Value?, _ append: (inout Self, Value) throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) {
      let start = bytes.count
      self.append(Int32(-1))
      guard let value else { return }
      try append(&self, value)
      let length = UInt32(truncatingIfNeeded: bytes.count - start - 4)
      for index in 0..<4 {
        bytes[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index))
      }
    }

    private mutating func append(_ text: String) throws(PostgresFailure) {
      let start = bytes.count
      bytes.append(contentsOf: text.utf8)
      guard !bytes[start...].contains(0) else { throw .invalidName }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }
#endif
