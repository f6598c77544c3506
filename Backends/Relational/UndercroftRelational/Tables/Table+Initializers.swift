import UndercroftCore

// Overloads for up to twelve columns. The compiler specialises the overloads in the module that
// declares the table. It cannot specialise a function that is generic over a parameter pack. (Swift
// 6.3) ``Table/init(_:_:_:)`` for any number of columns documents the parameters.

extension Table {
  /// Creates the declaration of a table with one column.
  @inlinable
  public init<A: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (A) -> Record, _ a: Column<Record, A>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(try columns.read())
      }, a)
  }

  /// Creates the declaration of a table with two columns.
  @inlinable
  public init<A: ColumnValue, B: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (A, B) -> Record, _ a: Column<Record, A>,
    _ b: Column<Record, B>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(try columns.read(), try columns.read())
      }, a, b)
  }

  /// Creates the declaration of a table with three columns.
  @inlinable
  public init<A: ColumnValue, B: ColumnValue, C: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (A, B, C) -> Record, _ a: Column<Record, A>,
    _ b: Column<Record, B>, _ c: Column<Record, C>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(try columns.read(), try columns.read(), try columns.read())
      }, a, b, c)
  }

  /// Creates the declaration of a table with four columns.
  @inlinable
  public init<A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D) -> Record, _ a: Column<Record, A>,
    _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(try columns.read(), try columns.read(), try columns.read(), try columns.read())
      }, a, b, c, d)
  }

  /// Creates the declaration of a table with five columns.
  @inlinable
  public init<A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E) -> Record, _ a: Column<Record, A>,
    _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>, _ e: Column<Record, E>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read())
      }, a, b, c, d, e)
  }

  /// Creates the declaration of a table with six columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read())
      }, a, b, c, d, e, f)
  }

  /// Creates the declaration of a table with seven columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue,
    G: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F, G) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>, _ g: Column<Record, G>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read())
      }, a, b, c, d, e, f, g)
  }

  /// Creates the declaration of a table with eight columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue,
    G: ColumnValue, H: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>, _ g: Column<Record, G>, _ h: Column<Record, H>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read(), try columns.read())
      }, a, b, c, d, e, f, g, h)
  }

  /// Creates the declaration of a table with nine columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue,
    G: ColumnValue, H: ColumnValue, I: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>, _ g: Column<Record, G>, _ h: Column<Record, H>,
    _ i: Column<Record, I>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read())
      }, a, b, c, d, e, f, g, h, i)
  }

  /// Creates the declaration of a table with ten columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue,
    G: ColumnValue, H: ColumnValue, I: ColumnValue, J: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>, _ g: Column<Record, G>, _ h: Column<Record, H>,
    _ i: Column<Record, I>, _ j: Column<Record, J>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read())
      }, a, b, c, d, e, f, g, h, i, j)
  }

  /// Creates the declaration of a table with eleven columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue,
    G: ColumnValue, H: ColumnValue, I: ColumnValue, J: ColumnValue, K: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>, _ g: Column<Record, G>, _ h: Column<Record, H>,
    _ i: Column<Record, I>, _ j: Column<Record, J>, _ k: Column<Record, K>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read())
      }, a, b, c, d, e, f, g, h, i, j, k)
  }

  /// Creates the declaration of a table with twelve columns.
  @inlinable
  public init<
    A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue, E: ColumnValue, F: ColumnValue,
    G: ColumnValue, H: ColumnValue, I: ColumnValue, J: ColumnValue, K: ColumnValue, L: ColumnValue
  >(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L) -> Record,
    _ a: Column<Record, A>, _ b: Column<Record, B>, _ c: Column<Record, C>, _ d: Column<Record, D>,
    _ e: Column<Record, E>, _ f: Column<Record, F>, _ g: Column<Record, G>, _ h: Column<Record, H>,
    _ i: Column<Record, I>, _ j: Column<Record, J>, _ k: Column<Record, K>, _ l: Column<Record, L>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read(), try columns.read(),
          try columns.read(), try columns.read(), try columns.read(), try columns.read())
      }, a, b, c, d, e, f, g, h, i, j, k, l)
  }
}
