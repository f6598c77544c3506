/// The former name of ``SQLExpression``, which Foundation has for something else.
public typealias Expression = SQLExpression
