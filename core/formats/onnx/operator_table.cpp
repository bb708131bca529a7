// Written by tests/reference/onnx/operator_table.py from the pages of ONNX 1.23.
#include "formats/onnx/operator_table.h"

namespace ambry::formats::onnx {

const int64_t kNewestOpset = 28;
const int64_t kNewestMlOpset = 5;

const std::string_view kOnnxOperators =
    R"(
Abs|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
Acos|7:1,1,1,1
Acosh|9:1,1,1,1
Add|1:2,2,1,1,axis=i broadcast=i consumed_inputs=I|6:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
AffineGrid|20:2,2,1,1,align_corners=i
And|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
ArgMax|1:1,1,1,1,axis=i keepdims=i|12:1,1,1,1,axis=i keepdims=i select_last_index=i
ArgMin|1:1,1,1,1,axis=i keepdims=i|12:1,1,1,1,axis=i keepdims=i select_last_index=i
Asin|7:1,1,1,1
Asinh|9:1,1,1,1
Atan|7:1,1,1,1
Atanh|9:1,1,1,1
Attention|23:3,6,1,4,is_causal=i kv_num_heads=i q_num_heads=i qk_matmul_output_mode=i scale=f so
	ftcap=f softmax_precision=i|24:3,7,1,4,is_causal=i kv_num_heads=i q_num_heads=i qk_matmul_outpu
	t_mode=i scale=f softcap=f softmax_precision=i|25:3,7,1,4,is_causal=i kv_num_heads=i left_windo
	w_size=i q_num_heads=i qk_matmul_output_mode=i right_window_size=i scale=f softcap=f softmax_pr
	ecision=i
AveragePool|1:1,1,1,1,auto_pad=s kernel_shape=I! pads=I strides=I|7:1,1,1,1,auto_pad=s count_inc
	lude_pad=i kernel_shape=I! pads=I strides=I|10:1,1,1,1,auto_pad=s ceil_mode=i count_include_pad
	=i kernel_shape=I! pads=I strides=I|19:1,1,1,1,auto_pad=s ceil_mode=i count_include_pad=i dilat
	ions=I kernel_shape=I! pads=I strides=I
BatchNormalization|1:5,5,1,5,consumed_inputs=I! epsilon=f is_test=i momentum=f spatial=i|6:5,5,1
	,5,epsilon=f is_test=i momentum=f spatial=i|7:5,5,1,5,epsilon=f momentum=f spatial=i|9:5,5,1,5,
	epsilon=f momentum=f|14:5,5,1,3,epsilon=f momentum=f training_mode=i
Bernoulli|15:1,1,1,1,dtype=i seed=f
BitCast|26:1,1,1,1,to=i!
BitShift|11:2,2,1,1,direction=s!
BitwiseAnd|18:2,2,1,1
BitwiseNot|18:1,1,1,1
BitwiseOr|18:2,2,1,1
BitwiseXor|18:2,2,1,1
BlackmanWindow|17:1,1,1,1,output_datatype=i periodic=i
Cast|1:1,1,1,1,to=s!|6:1,1,1,1,to=i!|19:1,1,1,1,saturate=i to=i!|24:1,1,1,1,round_mode=s saturat
	e=i to=i!
CastLike|15:2,2,1,1|19:2,2,1,1,saturate=i|24:2,2,1,1,round_mode=s saturate=i
CausalConvWithState|27:2,4,2,2,activation=s
Ceil|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
Celu|12:1,1,1,1,alpha=f
CenterCropPad|18:2,2,1,1,axes=I
Clip|1:1,1,1,1,consumed_inputs=I max=f min=f|6:1,1,1,1,max=f min=f|11:1,3,1,1
Col2Im|18:3,3,1,1,dilations=I pads=I strides=I
Compress|9:2,2,1,1,axis=i
Concat|1:1,*,1,1,axis=i|4:1,*,1,1,axis=i!
ConcatFromSequence|11:1,1,1,1,axis=i! new_axis=i
Constant|1:0,0,1,1,value=t!|11:0,0,1,1,sparse_value=p value=t|12:0,0,1,1,sparse_value=p value=t
	 value_float=f value_floats=F value_int=i value_ints=I value_string=s value_strings=S
ConstantOfShape|9:1,1,1,1,value=t
Conv|1:2,3,1,1,auto_pad=s dilations=I group=i kernel_shape=I pads=I strides=I
ConvInteger|10:2,4,1,1,auto_pad=s dilations=I group=i kernel_shape=I pads=I strides=I
ConvTranspose|1:2,3,1,1,auto_pad=s dilations=I group=i kernel_shape=I output_padding=I output_sh
	ape=I pads=I strides=I
Cos|7:1,1,1,1
Cosh|9:1,1,1,1
CumProd|26:2,2,1,1,exclusive=i reverse=i
CumSum|11:2,2,1,1,exclusive=i reverse=i
DFT|17:1,2,1,1,axis=i inverse=i onesided=i|20:1,3,1,1,inverse=i onesided=i
DeformConv|19:3,5,1,1,dilations=I group=i kernel_shape=I offset_group=i pads=I strides=I
DepthToSpace|1:1,1,1,1,blocksize=i!|11:1,1,1,1,blocksize=i! mode=s
DequantizeLinear|10:2,3,1,1|13:2,3,1,1,axis=i|21:2,3,1,1,axis=i block_size=i|23:2,3,1,1,axis=i b
	lock_size=i output_dtype=i
Det|11:1,1,1,1
Div|1:2,2,1,1,axis=i broadcast=i consumed_inputs=I|6:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
Dropout|1:1,1,1,2,consumed_inputs=I is_test=i ratio=f|6:1,1,1,2,is_test=i ratio=f|7:1,1,1,2,rati
	o=f|12:1,3,1,2,seed=i
DynamicQuantizeLinear|11:1,1,3,3
Einsum|12:1,*,1,1,equation=s!
Elu|1:1,1,1,1,alpha=f consumed_inputs=I|6:1,1,1,1,alpha=f
Equal|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
Erf|9:1,1,1,1
Exp|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
Expand|8:2,2,1,1
EyeLike|9:1,1,1,1,dtype=i k=i
Flatten|1:1,1,1,1,axis=i
Floor|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
GRU|1:3,6,2,2,activation_alpha=F activation_beta=F activations=S clip=f direction=s hidden_size=
	i output_sequence=i|3:3,6,0,2,activation_alpha=F activation_beta=F activations=S clip=f directi
	on=s hidden_size=i linear_before_reset=i output_sequence=i|7:3,6,0,2,activation_alpha=F activat
	ion_beta=F activations=S clip=f direction=s hidden_size=i linear_before_reset=i|14:3,6,0,2,acti
	vation_alpha=F activation_beta=F activations=S clip=f direction=s hidden_size=i layout=i linear
	_before_reset=i
Gather|1:2,2,1,1,axis=i
GatherElements|11:2,2,1,1,axis=i
GatherND|11:2,2,1,1|12:2,2,1,1,batch_dims=i
Gelu|20:1,1,1,1,approximate=s
Gemm|1:3,3,1,1,alpha=f beta=f broadcast=i transA=i transB=i|7:3,3,1,1,alpha=f beta=f transA=i tr
	ansB=i|11:2,3,1,1,alpha=f beta=f transA=i transB=i
GlobalAveragePool|1:1,1,1,1
GlobalLpPool|1:1,1,1,1,p=f|2:1,1,1,1,p=i
GlobalMaxPool|1:1,1,1,1
Greater|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
GreaterOrEqual|12:2,2,1,1
GridSample|16:2,2,1,1,align_corners=i mode=s padding_mode=s
GroupNormalization|18:x|21:3,3,1,1,epsilon=f num_groups=i! stash_type=i
HammingWindow|17:1,1,1,1,output_datatype=i periodic=i
HannWindow|17:1,1,1,1,output_datatype=i periodic=i
HardSigmoid|1:1,1,1,1,alpha=f beta=f consumed_inputs=I|6:1,1,1,1,alpha=f beta=f
HardSwish|14:1,1,1,1
Hardmax|1:1,1,1,1,axis=i
Identity|1:1,1,1,1
If|1:1,1,1,*,else_branch=g! then_branch=g!
ImageDecoder|20:1,1,1,1,pixel_format=s
InstanceNormalization|1:3,3,1,1,consumed_inputs=I epsilon=f|6:3,3,1,1,epsilon=f
IsInf|10:1,1,1,1,detect_negative=i detect_positive=i
IsNaN|9:1,1,1,1
LRN|1:1,1,1,1,alpha=f beta=f bias=f size=i!
LSTM|1:3,8,0,3,activation_alpha=F activation_beta=F activations=S clip=f direction=s hidden_size
	=i input_forget=i output_sequence=i|7:3,8,0,3,activation_alpha=F activation_beta=F activations=
	S clip=f direction=s hidden_size=i input_forget=i|14:3,8,0,3,activation_alpha=F activation_beta
	=F activations=S clip=f direction=s hidden_size=i input_forget=i layout=i
LayerNormalization|17:2,3,1,3,axis=i epsilon=f stash_type=i
LeakyRelu|1:1,1,1,1,alpha=f consumed_inputs=I|6:1,1,1,1,alpha=f
Less|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
LessOrEqual|12:2,2,1,1
LinearAttention|27:3,6,2,2,chunk_size=i kv_num_heads=i! q_num_heads=i! scale=f update_rule=s
Log|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
LogSoftmax|1:1,1,1,1,axis=i
Loop|1:3,*,1,*,body=g!|11:2,*,1,*,body=g!
LpNormalization|1:1,1,1,1,axis=i p=i
LpPool|1:1,1,1,1,auto_pad=s kernel_shape=I p=f pads=I strides=I|2:1,1,1,1,auto_pad=s kernel_shap
	e=I! p=i pads=I strides=I|18:1,1,1,1,auto_pad=s ceil_mode=i dilations=I kernel_shape=I! p=i pad
	s=I strides=I
MatMul|1:2,2,1,1
MatMulInteger|10:2,4,1,1
Max|1:1,*,1,1,consumed_inputs=I|6:1,*,1,1
MaxPool|1:1,1,1,1,auto_pad=s kernel_shape=I! pads=I strides=I|8:1,1,1,2,auto_pad=s kernel_shape=
	I! pads=I storage_order=i strides=I|10:1,1,1,2,auto_pad=s ceil_mode=i dilations=I kernel_shape=
	I! pads=I storage_order=i strides=I
MaxRoiPool|1:2,2,1,1,pooled_shape=I! spatial_scale=f
MaxUnpool|9:2,3,1,1,kernel_shape=I! pads=I strides=I
Mean|1:1,*,1,1,consumed_inputs=I|6:1,*,1,1
MeanVarianceNormalization|9:1,1,1,1,axes=I
MelWeightMatrix|17:5,5,1,1,output_datatype=i
Min|1:1,*,1,1,consumed_inputs=I|6:1,*,1,1
Mish|18:1,1,1,1
Mod|10:2,2,1,1,fmod=i
Mul|1:2,2,1,1,axis=i broadcast=i consumed_inputs=I|6:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
Multinomial|7:1,1,1,1,dtype=i sample_size=i seed=f
Neg|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
NegativeLogLikelihoodLoss|12:2,3,1,1,ignore_index=i reduction=s
NonMaxSuppression|10:2,5,1,1,center_point_box=i
NonZero|9:1,1,1,1
Not|1:1,1,1,1
OneHot|9:3,3,1,1,axis=i
Optional|15:0,1,1,1,type=y
OptionalGetElement|15:1,1,1,1
OptionalHasElement|15:1,1,1,1|18:0,1,1,1
Or|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
PRelu|1:2,2,1,1,consumed_inputs=I|6:2,2,1,1
Pad|1:1,1,1,1,mode=s paddings=I! value=f|2:1,1,1,1,mode=s pads=I! value=f|11:2,3,1,1,mode=s|18:2
	,4,1,1,mode=s
Pow|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
QLinearConv|10:8,9,1,1,auto_pad=s dilations=I group=i kernel_shape=I pads=I strides=I
QLinearMatMul|10:8,8,1,1
QuantizeLinear|10:2,3,1,1|13:2,3,1,1,axis=i|19:2,3,1,1,axis=i saturate=i|21:2,3,1,1,axis=i block
	_size=i output_dtype=i saturate=i|23:2,3,1,1,axis=i block_size=i output_dtype=i precision=i sat
	urate=i
RMSNormalization|23:2,2,1,1,axis=i epsilon=f stash_type=i
RNN|1:3,6,0,2,activation_alpha=F activation_beta=F activations=S clip=f direction=s hidden_size=
	i output_sequence=i|7:3,6,0,2,activation_alpha=F activation_beta=F activations=S clip=f directi
	on=s hidden_size=i|14:3,6,0,2,activation_alpha=F activation_beta=F activations=S clip=f directi
	on=s hidden_size=i layout=i
RandomNormal|1:0,0,1,1,dtype=i mean=f scale=f seed=f shape=I!
RandomNormalLike|1:1,1,1,1,dtype=i mean=f scale=f seed=f
RandomUniform|1:0,0,1,1,dtype=i high=f low=f seed=f shape=I!
RandomUniformLike|1:1,1,1,1,dtype=i high=f low=f seed=f
Range|11:3,3,1,1|27:3,3,1,1,stash_type=i
Reciprocal|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
ReduceL1|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceL2|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceLogSum|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceLogSumExp|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceMax|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceMean|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceMin|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceProd|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceSum|1:1,1,1,1,axes=I keepdims=i|13:1,2,1,1,keepdims=i noop_with_empty_axes=i
ReduceSumSquare|1:1,1,1,1,axes=I keepdims=i|18:1,2,1,1,keepdims=i noop_with_empty_axes=i
RegexFullMatch|20:1,1,1,1,pattern=s
Relu|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
Reshape|1:1,1,1,1,consumed_inputs=I shape=I|5:2,2,1,1|14:2,2,1,1,allowzero=i
Resize|10:2,2,1,1,mode=s|11:3,4,1,1,coordinate_transformation_mode=s cubic_coeff_a=f exclude_out
	side=i extrapolation_value=f mode=s nearest_mode=s|13:1,4,1,1,coordinate_transformation_mode=s
	 cubic_coeff_a=f exclude_outside=i extrapolation_value=f mode=s nearest_mode=s|18:1,4,1,1,antia
	lias=i axes=I coordinate_transformation_mode=s cubic_coeff_a=f exclude_outside=i extrapolation_
	value=f keep_aspect_ratio_policy=s mode=s nearest_mode=s
ReverseSequence|10:2,2,1,1,batch_axis=i time_axis=i
RoiAlign|10:3,3,1,1,mode=s output_height=i output_width=i sampling_ratio=i spatial_scale=f|16:3,
	3,1,1,coordinate_transformation_mode=s mode=s output_height=i output_width=i sampling_ratio=i s
	patial_scale=f
RotaryEmbedding|23:3,4,1,1,interleaved=i num_heads=i rotary_embedding_dim=i
Round|11:1,1,1,1
STFT|17:2,4,1,1,onesided=i
Scan|8:2,*,1,*,body=g! directions=I num_scan_inputs=i!|9:1,*,1,*,body=g! num_scan_inputs=i! scan
	_input_axes=I scan_input_directions=I scan_output_axes=I scan_output_directions=I
Scatter|9:3,3,1,1,axis=i|11:x
ScatterElements|11:3,3,1,1,axis=i|16:3,3,1,1,axis=i reduction=s
ScatterND|11:3,3,1,1|16:3,3,1,1,reduction=s
Selu|1:1,1,1,1,alpha=f consumed_inputs=I gamma=f|6:1,1,1,1,alpha=f gamma=f
SequenceAt|11:2,2,1,1
SequenceConstruct|11:1,*,1,1
SequenceEmpty|11:0,0,1,1,dtype=i
SequenceErase|11:1,2,1,1
SequenceInsert|11:2,3,1,1
SequenceLength|11:1,1,1,1
SequenceMap|17:1,*,1,*,body=g!
Shape|1:1,1,1,1|15:1,1,1,1,end=i start=i
Shrink|9:1,1,1,1,bias=f lambd=f
Sigmoid|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
Sign|9:1,1,1,1
SimplifiedLayerNormalization|1:2,2,1,3,axis=i epsilon=f stash_type=i
Sin|7:1,1,1,1
Sinh|9:1,1,1,1
Size|1:1,1,1,1
Slice|1:1,1,1,1,axes=I ends=I! starts=I!|10:3,5,1,1
Softmax|1:1,1,1,1,axis=i
SoftmaxCrossEntropyLoss|12:2,3,1,2,ignore_index=i reduction=s
Softplus|1:1,1,1,1
Softsign|1:1,1,1,1
SpaceToDepth|1:1,1,1,1,blocksize=i!
Split|1:1,2,1,*,axis=i split=I|2:1,1,1,*,axis=i split=I|13:1,2,1,*,axis=i|18:1,2,1,*,axis=i num_
	outputs=i
SplitToSequence|11:1,2,1,1,axis=i keepdims=i
Sqrt|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
Squeeze|1:1,1,1,1,axes=I|13:1,2,1,1
StringConcat|20:2,2,1,1
StringNormalizer|10:1,1,1,1,case_change_action=s is_case_sensitive=i locale=s stopwords=S
StringSplit|20:1,1,2,2,delimiter=s maxsplit=i
Sub|1:2,2,1,1,axis=i broadcast=i consumed_inputs=I|6:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
Sum|1:1,*,1,1,consumed_inputs=I|6:1,*,1,1
SwiGLU|28:2,2,1,1,alpha=f
Swish|24:1,1,1,1,alpha=f
Tan|7:1,1,1,1
Tanh|1:1,1,1,1,consumed_inputs=I|6:1,1,1,1
TensorScatter|24:2,3,1,1,axis=i mode=s
TfIdfVectorizer|9:1,1,1,1,max_gram_length=i! max_skip_count=i! min_gram_length=i! mode=s! ngram_
	counts=I! ngram_indexes=I! pool_int64s=I pool_strings=S weights=F
ThresholdedRelu|10:1,1,1,1,alpha=f
Tile|1:3,3,1,1|6:2,2,1,1
TopK|1:1,1,2,2,axis=i k=i!|10:2,2,2,2,axis=i|11:2,2,2,2,axis=i largest=i sorted=i
Transpose|1:1,1,1,1,perm=I
Trilu|14:1,2,1,1,upper=i
Unique|11:1,1,1,4,axis=i sorted=i
Unsqueeze|1:1,1,1,1,axes=I!|13:2,2,1,1
Upsample|1:1,1,1,1,height_scale=f! mode=s width_scale=f!|7:1,1,1,1,mode=s scales=F!|9:2,2,1,1,mo
	de=s|10:x
Where|9:3,3,1,1
Xor|1:2,2,1,1,axis=i broadcast=i|7:2,2,1,1
)";

const std::string_view kMlOperators =
    R"(
ArrayFeatureExtractor|1:2,2,1,1
Binarizer|1:1,1,1,1,threshold=f
CastMap|1:1,1,1,1,cast_to=s map_form=s max_map=i
CategoryMapper|1:1,1,1,1,cats_int64s=I cats_strings=S default_int64=i default_string=s
DictVectorizer|1:1,1,1,1,int64_vocabulary=I string_vocabulary=S
FeatureVectorizer|1:1,*,1,1,inputdimensions=I
Imputer|1:1,1,1,1,imputed_value_floats=F imputed_value_int64s=I replaced_value_float=f replaced_
	value_int64=i
LabelEncoder|1:1,1,1,1,classes_strings=S default_int64=i default_string=s|2:1,1,1,1,default_floa
	t=f default_int64=i default_string=s keys_floats=F keys_int64s=I keys_strings=S values_floats=F
	 values_int64s=I values_strings=S|4:1,1,1,1,default_float=f default_int64=i default_string=s de
	fault_tensor=t keys_floats=F keys_int64s=I keys_strings=S keys_tensor=t values_floats=F values_
	int64s=I values_strings=S values_tensor=t
LinearClassifier|1:1,1,2,2,classlabels_ints=I classlabels_strings=S coefficients=F! intercepts=F
	 multi_class=i post_transform=s
LinearRegressor|1:1,1,1,1,coefficients=F intercepts=F post_transform=s targets=i
Normalizer|1:1,1,1,1,norm=s
OneHotEncoder|1:1,1,1,1,cats_int64s=I cats_strings=S zeros=i
SVMClassifier|1:1,1,2,2,classlabels_ints=I classlabels_strings=S coefficients=F kernel_params=F
	 kernel_type=s post_transform=s prob_a=F prob_b=F rho=F support_vectors=F vectors_per_class=I
SVMRegressor|1:1,1,1,1,coefficients=F kernel_params=F kernel_type=s n_supports=i one_class=i pos
	t_transform=s rho=F support_vectors=F
Scaler|1:1,1,1,1,offset=F scale=F
TreeEnsemble|5:1,1,1,1,aggregate_function=i leaf_targetids=I! leaf_weights=t! membership_values=
	t n_targets=i nodes_falseleafs=I! nodes_falsenodeids=I! nodes_featureids=I! nodes_hitrates=t no
	des_missing_value_tracks_true=I nodes_modes=t! nodes_splits=t! nodes_trueleafs=I! nodes_truenod
	eids=I! post_transform=i tree_roots=I!
TreeEnsembleClassifier|1:1,1,2,2,base_values=F class_ids=I class_nodeids=I class_treeids=I class
	_weights=F classlabels_int64s=I classlabels_strings=S nodes_falsenodeids=I nodes_featureids=I n
	odes_hitrates=F nodes_missing_value_tracks_true=I nodes_modes=S nodes_nodeids=I nodes_treeids=I
	 nodes_truenodeids=I nodes_values=F post_transform=s|3:1,1,2,2,base_values=F base_values_as_ten
	sor=t class_ids=I class_nodeids=I class_treeids=I class_weights=F class_weights_as_tensor=t cla
	sslabels_int64s=I classlabels_strings=S nodes_falsenodeids=I nodes_featureids=I nodes_hitrates=
	F nodes_hitrates_as_tensor=t nodes_missing_value_tracks_true=I nodes_modes=S nodes_nodeids=I no
	des_treeids=I nodes_truenodeids=I nodes_values=F nodes_values_as_tensor=t post_transform=s|5:x
TreeEnsembleRegressor|1:1,1,1,1,aggregate_function=s base_values=F n_targets=i nodes_falsenodeid
	s=I nodes_featureids=I nodes_hitrates=F nodes_missing_value_tracks_true=I nodes_modes=S nodes_n
	odeids=I nodes_treeids=I nodes_truenodeids=I nodes_values=F post_transform=s target_ids=I targe
	t_nodeids=I target_treeids=I target_weights=F|3:1,1,1,1,aggregate_function=s base_values=F base
	_values_as_tensor=t n_targets=i nodes_falsenodeids=I nodes_featureids=I nodes_hitrates=F nodes_
	hitrates_as_tensor=t nodes_missing_value_tracks_true=I nodes_modes=S nodes_nodeids=I nodes_tree
	ids=I nodes_truenodeids=I nodes_values=F nodes_values_as_tensor=t post_transform=s target_ids=I
	 target_nodeids=I target_treeids=I target_weights=F target_weights_as_tensor=t|5:x
ZipMap|1:1,1,1,1,classlabels_int64s=I classlabels_strings=S
)";

const std::string_view kMicrosoftOperators =
    R"(
Attention|1:2,*,1,*,?
AttnLSTM|1:0,*,0,*,?
BeamSearch|1:0,*,0,*,?
BiasAdd|1:0,*,0,*,?
BiasDropout|1:0,*,0,*,?
BiasGelu|1:2,*,1,*,?
BiasSoftmax|1:0,*,0,*,?
BiasSplitGelu|1:2,*,1,*,?
BifurcationDetector|1:0,*,0,*,?
BitmaskBiasDropout|1:0,*,0,*,?
BitmaskDropout|1:0,*,0,*,?
CDist|1:0,*,0,*,?
CausalConvWithState|1:0,*,0,*,?
ComplexMul|1:0,*,0,*,?
ComplexMulConj|1:0,*,0,*,?
ConvTransposeWithDynamicPads|1:0,*,0,*,?
CropAndResize|1:0,*,0,*,?
DecoderAttention|1:0,*,0,*,?
DecoderMaskedMultiHeadAttention|1:1,*,1,*,?
DecoderMaskedSelfAttention|1:0,*,0,*,?
DequantizeBFP|1:0,*,0,*,?
DequantizeLinear|1:2,*,1,*,?
DequantizeWithOrder|1:0,*,0,*,?
DynamicQuantizeLSTM|1:0,*,0,*,?
DynamicQuantizeMatMul|1:3,*,1,*,?
DynamicTimeWarping|1:0,*,0,*,?
EPContext|1:0,*,0,*,?
EmbedLayerNormalization|1:6,*,1,*,?
EngramGate|1:0,*,0,*,?
ExpandDims|1:0,*,0,*,?
FastGelu|1:1,*,1,*,?
FusedConv|1:2,*,1,*,?
FusedGemm|1:2,*,1,*,?
FusedMatMul|1:2,*,1,*,?
FusedMatMulActivation|1:0,*,0,*,?
GatedAdd|1:0,*,0,*,?
GatedDeltaNet|1:0,*,0,*,?
GatedRMSNorm|1:0,*,0,*,?
GatedRelativePositionBias|1:0,*,0,*,?
GatherBlockQuantized|1:3,*,1,*,?
GatherND|1:0,*,0,*,?
Gelu|1:1,*,1,*,?
GemmFastGelu|1:0,*,0,*,?
GemmFloat8|1:0,*,0,*,?
GemmaRotaryEmbedding|1:0,*,0,*,?
GreedySearch|1:0,*,0,*,?
GridSample|1:0,*,0,*,?
GroupNorm|1:3,*,1,*,?
GroupQueryAttention|1:7,*,1,*,?
Inverse|1:0,*,0,*,?
Irfft|1:0,*,0,*,?
IsAllFinite|1:0,*,0,*,?
LinearAttention|1:0,*,0,*,?
LinearAttentionGate|1:0,*,0,*,?
LongformerAttention|1:0,*,0,*,?
MRotaryEmbedding|1:0,*,0,*,?
MatMulBlockQuantizedFp4Weight|1:0,*,0,*,?
MatMulBlockQuantizedFp8Weight|1:0,*,0,*,?
MatMulBnb4|1:3,*,1,*,?
MatMulFpQ4|1:0,*,0,*,?
MatMulInteger16|1:0,*,0,*,?
MatMulIntegerToFloat|1:4,*,1,*,?
MatMulNBits|1:3,*,1,*,?
MatMulNBitsMlp|1:0,*,0,*,?
MatMulNBitsQkv|1:0,*,0,*,?
MaxpoolWithMask|1:0,*,0,*,?
MoE|1:3,*,1,*,?
MulInteger|1:0,*,0,*,?
MultiHeadAttention|1:1,*,1,*,?
MurmurHash3|1:0,*,0,*,?
NGramHashMapping|1:0,*,0,*,?
NGramRepeatBlock|1:0,*,0,*,?
NhwcConv|1:0,*,0,*,?
NhwcFusedConv|1:0,*,0,*,?
NhwcMaxPool|1:0,*,0,*,?
PackedAttention|1:0,*,0,*,?
PackedMultiHeadAttention|1:0,*,0,*,?
Pad|1:0,*,0,*,?
PagedAttention|1:0,*,0,*,?
QAttention|1:5,*,1,*,?
QEmbedLayerNormalization|1:0,*,0,*,?
QGemm|1:6,*,1,*,?
QLinearAdd|1:7,*,1,*,?
QLinearAveragePool|1:5,*,1,*,?
QLinearConcat|1:5,*,1,*,?
QLinearConv|1:0,*,0,*,?
QLinearGlobalAveragePool|1:5,*,1,*,?
QLinearLeakyRelu|1:5,*,1,*,?
QLinearMul|1:7,*,1,*,?
QLinearReduceMean|1:0,*,0,*,?
QLinearSigmoid|1:5,*,1,*,?
QLinearSoftmax|1:5,*,1,*,?
QLinearWhere|1:0,*,0,*,?
QMoE|1:3,*,1,*,?
QOrderedAttention|1:0,*,0,*,?
QOrderedGelu|1:0,*,0,*,?
QOrderedLayerNormalization|1:0,*,0,*,?
QOrderedLongformerAttention|1:0,*,0,*,?
QOrderedMatMul|1:0,*,0,*,?
QuantizeBFP|1:0,*,0,*,?
QuantizeLinear|1:2,*,1,*,?
QuantizeWithOrder|1:0,*,0,*,?
QuickGelu|1:1,*,1,*,?
Range|1:0,*,0,*,?
ReduceSumInteger|1:0,*,0,*,?
RelativePositionBias|1:0,*,0,*,?
RemovePadding|1:0,*,0,*,?
RestorePadding|1:0,*,0,*,?
Rfft|1:0,*,0,*,?
RotaryEmbedding|1:4,*,1,*,?
SampleOp|1:0,*,0,*,?
Sampling|1:0,*,0,*,?
SkipGroupNorm|1:4,*,1,*,?
SkipLayerNormalization|1:3,*,1,*,?
SkipSimplifiedLayerNormalization|1:3,*,1,*,?
Snpe|1:0,*,0,*,?
SparseAttention|1:9,*,1,*,?
SparseToDenseMatMul|1:0,*,0,*,?
Tokenizer|1:0,*,0,*,?
TorchEmbedding|1:0,*,0,*,?
TransposeMatMul|1:0,*,0,*,?
Trilu|1:1,*,1,*,?
UnfoldTensor|1:0,*,0,*,?
Unique|1:0,*,0,*,?
VarlenCausalConvWithState|1:0,*,0,*,?
VarlenNGramHashMapping|1:0,*,0,*,?
WhisperBeamSearch|1:0,*,0,*,?
WordConvEmbedding|1:0,*,0,*,?
)";

}  // namespace ambry::formats::onnx
